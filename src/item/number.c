/*
 * src/item/number.c
 *		Numbers: text, numeric and integers to the bytes of an attribute of type N and back; size; addition.
 *
 * The bytes are described in item.h.  Between the forms stands a Decimal: the significant digits, and the place of the decimal
 * point, so that 0.00120 is the digits 12 with exponent -2 (0.12 x 10^-2), and 1200 the digits 12 with exponent 4.
 *
 * Arithmetic is PostgreSQL's.  The digits of a numeric are reached through its binary send format, which is the only one that
 * is promised to stay, and whose digits of base 10000 are two of our digits of base 100 each.
 *
 * Source	reference/data-model, section 4
 */
#include "postgres.h"

#include "common/int.h"
#include "lib/stringinfo.h"
#include "utils/fmgrprotos.h"

#include "base/error.h"
#include "item/item_internal.h"

#define MAX_EXPONENT 126		/* of a Decimal: just below 1E+126 */
#define MIN_EXPONENT (-129)		/* 1E-130 is 0.1 x 10^-129 */
#define EXPONENT_BIAS 64		/* of base 100, see item.h */
#define ZERO_BYTE 0x80

/* Written exponents are clamped here: no text is long enough to bring such a number back into range. */
#define HUGE_EXPONENT INT64CONST(100000000000)

#define MESSAGE_OVERFLOW "Number overflow. Attempting to store a number with magnitude larger than supported range"
#define MESSAGE_UNDERFLOW "Number underflow. Attempting to store a number with magnitude smaller than supported range"
#define MESSAGE_DIGITS "Attempting to store more than 38 significant digits in a Number"
#define MESSAGE_NOT_NUMERIC "The parameter cannot be converted to a numeric value"

typedef struct Decimal
{
	bool		is_negative;
	int			count;			/* significant digits kept; 0 for zero */
	uint32		zeros;			/* zeros seen after them, significant only if another digit follows */
	bool		is_too_long;	/* there are more digits than ITEM_NUMBER_MAX_DIGITS */
	int64		exponent;		/* the number is 0.d1d2d3... x 10^exponent */
	uint8		digits[ITEM_NUMBER_MAX_DIGITS + 2]; /* one more on either side while encoding and decoding */
} Decimal;

/* Appends a digit after the first significant one. */
static inline void
append_digit(Decimal *decimal, uint8 digit)
{
	if (digit == 0)
	{
		decimal->zeros++;
		return;
	}
	if (decimal->is_too_long || decimal->count + (uint64) decimal->zeros >= ITEM_NUMBER_MAX_DIGITS)
	{
		decimal->is_too_long = true;
		return;
	}
	while (decimal->zeros > 0)
	{
		decimal->digits[decimal->count++] = 0;
		decimal->zeros--;
	}
	decimal->digits[decimal->count++] = digit;
}

/*
 * encode_decimal
 *		The bytes of a Decimal; NULL, or the text of the error.
 */
static const char *
encode_decimal(const Decimal *decimal, char *target, uint32 *target_length)
{
	unsigned char *byte = (unsigned char *) target;
	int			exponent;
	int			i = 0;

	if (decimal->count == 0)
	{
		*byte = ZERO_BYTE;
		*target_length = 1;
		return NULL;
	}
	if (decimal->exponent > MAX_EXPONENT)
		return MESSAGE_OVERFLOW;
	if (decimal->exponent < MIN_EXPONENT)
		return MESSAGE_UNDERFLOW;
	if (decimal->is_too_long)
		return MESSAGE_DIGITS;

	/* Pairs of digits are counted from the decimal point: with an odd exponent the first pair has one digit. */
	exponent = (int) decimal->exponent;
	if (exponent % 2 != 0)
	{
		*++byte = decimal->digits[i++] + 1;
		exponent++;
	}
	for (; i < decimal->count; i += 2)
		*++byte = decimal->digits[i] * 10 + (i + 1 < decimal->count ? decimal->digits[i + 1] : 0) + 1;
	byte++;
	target[0] = (char) (ZERO_BYTE + exponent / 2 + EXPONENT_BIAS);

	if (decimal->is_negative)
	{
		/* 0x80 + e becomes 0x7F - e, a digit d becomes 0xFF - d: all bits turned. */
		for (unsigned char *digit = (unsigned char *) target; digit < byte; digit++)
			*digit = ~*digit;
		*byte++ = 0xFF;
	}
	*target_length = byte - (unsigned char *) target;
	return NULL;
}

/* The Decimal of valid number bytes. */
static void
decode_decimal(const char *data, uint32 length, Decimal *decimal)
{
	const unsigned char *bytes = (const unsigned char *) data;
	uint8		mask = 0;

	decimal->is_negative = bytes[0] < ZERO_BYTE;
	decimal->count = 0;
	decimal->exponent = 0;
	if (length == 1)
		return;

	if (decimal->is_negative)
	{
		mask = 0xFF;
		length--;
	}
	decimal->exponent = 2 * ((bytes[0] ^ mask) - ZERO_BYTE - EXPONENT_BIAS);
	for (uint32 i = 1; i < length; i++)
	{
		uint8		pair = (bytes[i] ^ mask) - 1;

		if (i == 1 && pair < 10)
			decimal->exponent--;
		else
			decimal->digits[decimal->count++] = pair / 10;
		decimal->digits[decimal->count++] = pair % 10;
	}
	if (decimal->digits[decimal->count - 1] == 0)
		decimal->count--;
}

/*
 * NumberParse
 *		Encode the text of a number.
 *
 * Syntax: [+-]? (digits [. digits?] | . digits) ([eE] [+-]? digits)? and nothing else.  An exponent is never expanded.
 */
const char *
NumberParse(const char *text, uint32 length, char *target, uint32 *target_length)
{
	const char *position = text;
	const char *end = text + length;
	Decimal		decimal = {0};
	bool		has_digits = false;
	bool		has_point = false;
	int64		point = 0;		/* place of the decimal point after the first significant digit */

	if (length == 0)
		return MESSAGE_NOT_NUMERIC;

	if (*position == '+' || *position == '-')
		decimal.is_negative = *position++ == '-';
	for (; position < end; position++)
	{
		if (*position >= '0' && *position <= '9')
		{
			has_digits = true;
			if (decimal.count == 0 && *position == '0')
				point -= has_point;
			else
			{
				append_digit(&decimal, *position - '0');
				point += !has_point;
			}
		}
		else if (*position == '.' && !has_point)
			has_point = true;
		else
			break;
	}
	if (!has_digits)
		goto syntax_error;

	decimal.exponent = point;
	if (position < end && (*position == 'e' || *position == 'E'))
	{
		bool		is_negative = false;
		int64		exponent = 0;

		position++;
		if (position < end && (*position == '+' || *position == '-'))
			is_negative = *position++ == '-';
		if (position == end)
			goto syntax_error;
		for (; position < end && *position >= '0' && *position <= '9'; position++)
			exponent = Min(exponent * 10 + (*position - '0'), HUGE_EXPONENT);
		decimal.exponent += is_negative ? -exponent : exponent;
	}
	if (position < end)
		goto syntax_error;
	return encode_decimal(&decimal, target, target_length);

syntax_error:
	return psprintf(MESSAGE_NOT_NUMERIC ": %.*s", (int) length, text);
}

/*
 * ItemNumberFromText
 *		Encode the text of a number.  KV001 with DynamoDB's texts, in its order of checks.
 */
uint32
ItemNumberFromText(const char *text, uint32 length, char *target)
{
	uint32		target_length = 0;
	const char *failure = NumberParse(text, length, target, &target_length);

	if (failure != NULL)
		validation_error("%s", failure);
	return target_length;
}

static inline uint16
load_big_endian(const unsigned char *source)
{
	return (uint16) (source[0] << 8 | source[1]);
}

static inline void
store_big_endian(unsigned char *target, uint16 number)
{
	target[0] = number >> 8;
	target[1] = number & 0xFF;
}

/*
 * encode_numeric
 *		The bytes of a numeric; NULL, or the text of the error.
 *
 * numeric_send gives, big-endian and 2 bytes each: count of digits, weight, sign, display scale, and the digits of base 10000,
 * of which the first counts 10000^weight.
 */
static const char *
encode_numeric(Numeric numeric, char *target, uint32 *target_length)
{
	bytea	   *external;
	const unsigned char *field;
	Decimal		decimal = {0};
	int			count;
	int64		point;

	if (numeric_is_nan(numeric))
		return MESSAGE_NOT_NUMERIC ": NaN";
	if (numeric_is_inf(numeric))
		return MESSAGE_NOT_NUMERIC ": Infinity";

	external = DatumGetByteaPP(DirectFunctionCall1(numeric_send, NumericGetDatum(numeric)));
	field = (const unsigned char *) VARDATA_ANY(external);
	count = load_big_endian(field);
	point = ((int64) (int16) load_big_endian(field + 2) + 1) * 4;
	decimal.is_negative = load_big_endian(field + 4) != 0;
	field += 8;
	for (int i = 0; i < count; i++, field += 2)
	{
		uint16		group = load_big_endian(field);

		for (int divisor = 1000; divisor > 0; divisor /= 10)
		{
			uint8		digit = group / divisor % 10;

			if (decimal.count == 0 && digit == 0)
				point--;
			else
				append_digit(&decimal, digit);
		}
	}
	decimal.exponent = point;
	pfree(external);
	return encode_decimal(&decimal, target, target_length);
}

/*
 * ItemNumberFromNumeric
 *		Encode a numeric.  KV001 if it is NaN or infinite, out of range, or has more than 38 significant digits.
 */
uint32
ItemNumberFromNumeric(Numeric numeric, char *target)
{
	uint32		target_length = 0;
	const char *failure = encode_numeric(numeric, target, &target_length);

	if (failure != NULL)
		validation_error("%s", failure);
	return target_length;
}

/*
 * ItemNumberFromInt64
 *		Encode an integer.
 */
uint32
ItemNumberFromInt64(int64 number, char *target)
{
	uint64		rest = number < 0 ? 0 - (uint64) number : (uint64) number;
	unsigned char pairs[10];	/* base 100, last first */
	unsigned char *byte = (unsigned char *) target;
	uint8		mask = number < 0 ? 0xFF : 0;
	int			count = 0;
	int			last = 0;

	if (number == 0)
	{
		*byte = ZERO_BYTE;
		return 1;
	}
	for (; rest > 0; rest /= 100)
		pairs[count++] = rest % 100;
	while (pairs[last] == 0)
		last++;
	*byte++ = (ZERO_BYTE + count + EXPONENT_BIAS) ^ mask;
	for (int i = count - 1; i >= last; i--)
		*byte++ = (pairs[i] + 1) ^ mask;
	if (number < 0)
		*byte++ = 0xFF;
	return byte - (unsigned char *) target;
}

/*
 * ItemNumberToInt64
 *		The integer of number bytes; false if they are no integer or it is out of range.
 */
bool
ItemNumberToInt64(const char *data, uint32 length, int64 *number)
{
	const unsigned char *bytes = (const unsigned char *) data;
	bool		is_negative = bytes[0] < ZERO_BYTE;
	uint8		mask = is_negative ? 0xFF : 0;
	int			exponent;
	int			count;
	int64		result = 0;

	*number = 0;
	if (length == 1)
		return true;
	count = (int) length - (is_negative ? 2 : 1);
	exponent = (bytes[0] ^ mask) - ZERO_BYTE - EXPONENT_BIAS;
	if (count > exponent || exponent > 10)
		return false;
	for (int i = 1; i <= exponent; i++)
	{
		int64		pair = i <= count ? (bytes[i] ^ mask) - 1 : 0;

		/* Below zero, because the smallest integer has no positive counterpart. */
		if (pg_mul_s64_overflow(result, 100, &result) || pg_sub_s64_overflow(result, pair, &result))
			return false;
	}
	if (!is_negative && result == PG_INT64_MIN)
		return false;
	*number = is_negative ? result : -result;
	return true;
}

/*
 * ItemNumberToNumeric
 *		The numeric of number bytes, without trailing zeros; palloc'd.
 */
Numeric
ItemNumberToNumeric(const char *data, uint32 length)
{
	const unsigned char *bytes = (const unsigned char *) data;
	unsigned char external[8 + 2 * (ITEM_NUMBER_MAX / 2 + 1)];
	StringInfoData buffer;
	Decimal		decimal;
	int64		integer;
	bool		is_negative;
	uint8		mask;
	int			exponent;
	int			count;
	int			pair = 0;
	int			groups = 0;

	if (ItemNumberToInt64(data, length, &integer))
		return int64_to_numeric(integer);

	decode_decimal(data, length, &decimal);
	is_negative = decimal.is_negative;
	mask = is_negative ? 0xFF : 0;
	count = (int) length - (is_negative ? 2 : 1);
	exponent = (bytes[0] ^ mask) - ZERO_BYTE - EXPONENT_BIAS;

	/* Two digits of base 100 make one of base 10000; with an odd exponent the first stands alone. */
	if (exponent % 2 != 0)
	{
		store_big_endian(external + 8, (bytes[1] ^ mask) - 1);
		pair = 1;
		groups = 1;
		exponent++;
	}
	for (; pair < count; pair += 2)
	{
		uint16		group = ((bytes[1 + pair] ^ mask) - 1) * 100;

		if (pair + 1 < count)
			group += (bytes[2 + pair] ^ mask) - 1;
		store_big_endian(external + 8 + 2 * groups++, group);
	}
	store_big_endian(external, groups);
	store_big_endian(external + 2, (uint16) (exponent / 2 - 1));
	store_big_endian(external + 4, is_negative ? 0x4000 : 0);
	store_big_endian(external + 6, (uint16) Max(decimal.count - decimal.exponent, 0));

	buffer.data = (char *) external;
	buffer.len = 8 + 2 * groups;
	buffer.maxlen = sizeof(external);
	buffer.cursor = 0;
	return DatumGetNumeric(DirectFunctionCall3(numeric_recv, PointerGetDatum(&buffer), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

/*
 * ItemNumberToText
 *		The normal form: plain decimal, no exponent, no needless zero.  Returns the length without the NUL.
 */
uint32
ItemNumberToText(const char *data, uint32 length, char *text)
{
	char	   *position = text;
	Decimal		decimal;
	int			exponent;

	decode_decimal(data, length, &decimal);
	exponent = (int) decimal.exponent;
	if (decimal.is_negative)
		*position++ = '-';
	if (exponent <= 0)
	{
		*position++ = '0';
		if (decimal.count > 0)
		{
			*position++ = '.';
			memset(position, '0', -exponent);
			position += -exponent;
		}
	}
	for (int i = 0; i < decimal.count; i++)
	{
		if (i == exponent && i > 0)
			*position++ = '.';
		*position++ = '0' + decimal.digits[i];
	}
	if (exponent > decimal.count)
	{
		memset(position, '0', exponent - decimal.count);
		position += exponent - decimal.count;
	}
	*position = '\0';
	return position - text;
}

/*
 * ItemNumberSize
 *		What DynamoDB counts for a number, bytes: 1, one per two significant digits on either side of the point, and 1 for a minus.
 *
 * Source	reference/data-model, section 11
 */
uint32
ItemNumberSize(const char *data, uint32 length)
{
	Decimal		decimal;
	int			before;

	decode_decimal(data, length, &decimal);
	before = Max(Min(decimal.exponent, decimal.count), 0);
	return 1 + (before + 1) / 2 + (decimal.count - before + 1) / 2 + decimal.is_negative;
}

/*
 * ItemNumberIsValid
 *		Are these the bytes of a number, as encode_decimal writes them?  Any length is safe.
 */
bool
ItemNumberIsValid(const char *data, uint32 length)
{
	const unsigned char *bytes = (const unsigned char *) data;
	Decimal		decimal;
	char		again[ITEM_NUMBER_MAX];
	uint32		again_length;
	uint8		mask;
	uint32		end = length;

	if (length < 1 || length > ITEM_NUMBER_MAX)
		return false;
	if (length == 1)
		return bytes[0] == ZERO_BYTE;
	mask = bytes[0] < ZERO_BYTE ? 0xFF : 0;
	if (mask != 0 && bytes[--end] != 0xFF)
		return false;
	/* 20 digits of base 100 hold 38 decimal digits however they fall; more would not fit a Decimal. */
	if (end < 2 || end > 1 + (ITEM_NUMBER_MAX_DIGITS + 2) / 2)
		return false;
	for (uint32 i = 1; i < end; i++)
	{
		uint8		digit = bytes[i] ^ mask;

		if (digit < 1 || digit > 100)
			return false;
	}
	if ((bytes[1] ^ mask) == 1 || (bytes[end - 1] ^ mask) == 1)
		return false;

	decode_decimal(data, length, &decimal);
	if (decimal.count > ITEM_NUMBER_MAX_DIGITS)
		return false;
	decimal.zeros = 0;
	decimal.is_too_long = false;
	return encode_decimal(&decimal, again, &again_length) == NULL && again_length == length && memcmp(again, data, length) == 0;
}

/*
 * ItemNumberAdd
 *		a + b or a - b, exactly.
 *
 * Errors	KV001 overflow, also (DynamoDB says so too) when the result needs more than 38 significant digits; KV001 underflow
 */
uint32
ItemNumberAdd(const AttributeValue *a, const AttributeValue *b, bool subtract, char *target)
{
	int64		a_integer;
	int64		b_integer;
	int64		sum;
	Datum		result;
	uint32		target_length = 0;
	const char *failure;

	if (ItemNumberToInt64(a->data, a->length, &a_integer) && ItemNumberToInt64(b->data, b->length, &b_integer) &&
		!(subtract ? pg_sub_s64_overflow(a_integer, b_integer, &sum) : pg_add_s64_overflow(a_integer, b_integer, &sum)))
		return ItemNumberFromInt64(sum, target);

	result = DirectFunctionCall2(subtract ? numeric_sub : numeric_add,
								 NumericGetDatum(ItemNumberToNumeric(a->data, a->length)),
								 NumericGetDatum(ItemNumberToNumeric(b->data, b->length)));
	failure = encode_numeric(DatumGetNumeric(result), target, &target_length);
	if (failure != NULL)
		validation_error("%s", strcmp(failure, MESSAGE_DIGITS) == 0 ? MESSAGE_OVERFLOW : failure);
	return target_length;
}
