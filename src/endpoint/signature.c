/*
 * src/endpoint/signature.c
 *		AWS Signature Version 4, checked with PostgreSQL's cryptography.
 *
 * A client signs a text with a key derived from its secret.  The text is made of the request, so a request that was changed on its way has
 * another one:
 *
 *		canonical request	method, path, query, the headers that the client names, their names, SHA-256 of the body; one line each
 *		text to sign		algorithm, date, scope, SHA-256 of the canonical request; one line each
 *		signing key			HMAC(HMAC(HMAC(HMAC("AWS4" secret, day), region), service), "aws4_request")
 *		signature			HMAC(signing key, text to sign), in hexadecimal
 *
 * The signature and what it needs come in the header Authorization or, of a presigned request, as query parameters:
 *
 *		Authorization: AWS4-HMAC-SHA256 Credential=<key id>/<day>/<region>/<service>/aws4_request, SignedHeaders=host;..., Signature=...
 *		?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=...&X-Amz-Date=...&X-Amz-Expires=...&X-Amz-SignedHeaders=...&X-Amz-Signature=...
 *
 * Beyond reference/errors, section 4: the day of the scope must be that of the request, so that the key of an old day signs nothing
 * today; X-Amz-Target, which says what to do, must be signed as Host must; a presigned request ends as X-Amz-Expires says.
 *
 * Any region will do that looks like one: it is part of the client's configuration, and there is no other endpoint to have meant.
 *
 * Source: reference/errors, section 4; "Signature Version 4 signing process" of the AWS documentation.
 */
#include "postgres.h"

#include "common/cryptohash.h"
#include "common/hashfn.h"
#include "common/hmac.h"
#include "common/sha2.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"

#include "endpoint/signature.h"

#define ALGORITHM "AWS4-HMAC-SHA256"
#define SERVICE "dynamodb"
#define TERMINATOR "aws4_request"
#define DATE_LENGTH 16			/* 20130609T100015Z */
#define MAIL_DATE_LENGTH 25		/* Sun, 09 Jun 2013 10:00:15 */
#define DAY_LENGTH 8			/* 20130609 */
#define MAX_REGION_LENGTH 32
#define HEX_DIGEST_LENGTH (2 * PG_SHA256_DIGEST_LENGTH)
#define SKEW (15 * 60)			/* seconds */
#define MAX_EXPIRES (7 * 24 * 60 * 60)	/* seconds */

#define EXCEPTION_MISSING "MissingAuthenticationTokenException"
#define EXCEPTION_INCOMPLETE "IncompleteSignatureException"
#define EXCEPTION_INVALID "InvalidSignatureException"
#define EXCEPTION_UNRECOGNIZED "UnrecognizedClientException"

/* Signing keys that are kept: a slot by the hash of what the key is made of. */
#define SIGNING_KEY_SLOTS 256

typedef struct SigningKey
{
	char	   *source;			/* secret, NUL, scope: what the key is made of; NULL: the slot is empty */
	size_t		source_length;
	uint8		key[PG_SHA256_DIGEST_LENGTH];
} SigningKey;

typedef struct QueryParameter
{
	HttpText	name;			/* decoded */
	HttpText	value;
} QueryParameter;

/* What a request says of its signature. */
typedef struct Signature
{
	bool		is_presigned;
	HttpText	algorithm;
	HttpText	credential;
	HttpText	signature;
	HttpText	signed_headers;
	HttpText	date;
	HttpText	token;			/* of a session */
	HttpText	expires;		/* of a presigned request */
	int			parameter_count;
	QueryParameter *parameters; /* of the query */
} Signature;

/* The parts of a credential. */
enum
{
	CREDENTIAL_KEY_ID,
	CREDENTIAL_DAY,
	CREDENTIAL_REGION,
	CREDENTIAL_SERVICE,
	CREDENTIAL_TERMINATOR,
	CREDENTIAL_PARTS
};

static pg_cryptohash_ctx *hash_context;
static pg_hmac_ctx *hmac_context;
static MemoryContext key_context;
static SigningKey signing_keys[SIGNING_KEY_SLOTS];

static const SignatureFault no_fault = {NULL, NULL};

void
SignatureInit(void)
{
	ResourceOwner saved_owner = CurrentResourceOwner;

	if (hmac_context != NULL)
		return;
	CurrentResourceOwner = ResourceOwnerCreate(NULL, "singletable signatures");
	hash_context = pg_cryptohash_create(PG_SHA256);
	hmac_context = pg_hmac_create(PG_SHA256);
	CurrentResourceOwner = saved_owner;
	if (hash_context == NULL || hmac_context == NULL)
		elog(ERROR, "could not make the contexts of SHA-256");
	key_context = AllocSetContextCreate(TopMemoryContext, "singletable signing keys", ALLOCSET_SMALL_SIZES);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Texts
 */

static HttpText
make_text(const char *data, size_t length)
{
	HttpText	text = {data, length};

	return text;
}

static int
compare_texts(const void *a, const void *b)
{
	const HttpText *first = a;
	const HttpText *second = b;
	int			result = memcmp(first->data, second->data, Min(first->length, second->length));

	if (result != 0)
		return result;
	return first->length < second->length ? -1 : first->length > second->length;
}

/* Up to the next of these one or two characters, which is skipped; false at the end. */
static bool
next_part(HttpText *rest, const char *separators, HttpText *part)
{
	char		first = separators[0];
	char		second = separators[1] != '\0' ? separators[1] : first;
	size_t		length = 0;

	if (rest->data == NULL)
		return false;
	while (length < rest->length && rest->data[length] != first && rest->data[length] != second)
		length++;
	*part = make_text(rest->data, length);
	if (length == rest->length)
		rest->data = NULL;
	else
		*rest = make_text(rest->data + length + 1, rest->length - length - 1);
	return true;
}

/* What came from outside, in a message: other bytes than printable ASCII are question marks. */
static const char *
show_text(HttpText text)
{
	char	   *shown = palloc(text.length + 1);

	for (size_t i = 0; i < text.length; i++)
		shown[i] = text.data[i] >= ' ' && text.data[i] <= '~' ? text.data[i] : '?';
	shown[text.length] = '\0';
	return shown;
}

static SignatureFault
make_fault(const char *exception, const char *message)
{
	SignatureFault fault = {exception, message};

	return fault;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Query
 */

/* palloc'd; what is no escape stays as it is. */
static HttpText
decode_query_text(HttpText text)
{
	char	   *decoded = palloc(text.length + 1);
	size_t		length = 0;

	for (size_t i = 0; i < text.length; i++)
	{
		if (text.data[i] == '%' && i + 2 < text.length && HttpHexDigit(text.data[i + 1]) >= 0 && HttpHexDigit(text.data[i + 2]) >= 0)
		{
			decoded[length++] = (char) (HttpHexDigit(text.data[i + 1]) << 4 | HttpHexDigit(text.data[i + 2]));
			i += 2;
		}
		else
			decoded[length++] = text.data[i] == '+' ? ' ' : text.data[i];
	}
	return make_text(decoded, length);
}

static void
parse_query(HttpText query, Signature *signature)
{
	int			capacity = 8;
	HttpText	part;

	signature->parameter_count = 0;
	signature->parameters = NULL;
	if (query.data == NULL)
		return;
	signature->parameters = palloc(capacity * sizeof(QueryParameter));
	while (next_part(&query, "&", &part))
	{
		QueryParameter *parameter;
		HttpText	name;

		if (part.length == 0)
			continue;
		if (signature->parameter_count == capacity)
			signature->parameters = repalloc(signature->parameters, (capacity *= 2) * sizeof(QueryParameter));
		parameter = &signature->parameters[signature->parameter_count++];
		(void) next_part(&part, "=", &name);
		parameter->name = decode_query_text(name);
		parameter->value = decode_query_text(part.data != NULL ? part : make_text("", 0));
	}
}

/* The last one of that name; absent if there is none. */
static HttpText
find_parameter(const Signature *signature, const char *name)
{
	for (int i = signature->parameter_count - 1; i >= 0; i--)
		if (HttpTextEquals(signature->parameters[i].name, name))
			return signature->parameters[i].value;
	return make_text(NULL, 0);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Form
 */

static void
parse_authorization(HttpText header, Signature *signature)
{
	HttpText	part;

	(void) next_part(&header, ", ", &signature->algorithm);
	while (next_part(&header, ", ", &part))
	{
		HttpText	name;
		HttpText	value;

		if (!next_part(&part, "=", &name) || !next_part(&part, "=", &value))
			continue;
		if (HttpTextEquals(name, "Credential"))
			signature->credential = value;
		else if (HttpTextEquals(name, "Signature"))
			signature->signature = value;
		else if (HttpTextEquals(name, "SignedHeaders"))
			signature->signed_headers = value;
	}
}

/*
 * read_signature
 *		Find the signature of a request, in either form, and look whether all of it is there.
 */
static SignatureFault
read_signature(const HttpRequest *request, Signature *signature)
{
	HttpText	header = HttpFindHeader(request, "Authorization", NULL);
	StringInfoData message;

	memset(signature, 0, sizeof(*signature));
	parse_query(request->query, signature);
	signature->algorithm = find_parameter(signature, "X-Amz-Algorithm");
	signature->is_presigned = signature->algorithm.data != NULL;

	if (header.length > 0 && signature->is_presigned)
		return make_fault(EXCEPTION_INVALID, "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
	if (!signature->is_presigned && (header.length < strlen("AWS4-") || memcmp(header.data, "AWS4-", strlen("AWS4-")) != 0))
		return make_fault(EXCEPTION_MISSING, "Request is missing Authentication Token");

	initStringInfo(&message);
	if (signature->is_presigned)
	{
		struct
		{
			const char *name;
			HttpText   *value;
		}			needed[] = {
			{"X-Amz-Algorithm", &signature->algorithm},
			{"X-Amz-Credential", &signature->credential},
			{"X-Amz-Signature", &signature->signature},
			{"X-Amz-SignedHeaders", &signature->signed_headers},
			{"X-Amz-Date", &signature->date},
		};

		for (int i = 0; i < lengthof(needed); i++)
		{
			*needed[i].value = find_parameter(signature, needed[i].name);
			if (needed[i].value->length == 0)
				appendStringInfo(&message, "AWS query-string parameters must include '%s'. ", needed[i].name);
		}
		signature->expires = find_parameter(signature, "X-Amz-Expires");
		signature->token = find_parameter(signature, "X-Amz-Security-Token");
		if (message.len > 0)
			appendStringInfoString(&message, "Re-examine the query-string parameters.");
	}
	else
	{
		parse_authorization(header, signature);
		signature->date = HttpFindHeader(request, "X-Amz-Date", NULL);
		if (signature->date.length == 0)
			signature->date = HttpFindHeader(request, "Date", NULL);
		signature->token = HttpFindHeader(request, "X-Amz-Security-Token", NULL);
		if (signature->credential.length == 0)
			appendStringInfoString(&message, "Authorization header requires 'Credential' parameter. ");
		if (signature->signature.length == 0)
			appendStringInfoString(&message, "Authorization header requires 'Signature' parameter. ");
		if (signature->signed_headers.length == 0)
			appendStringInfoString(&message, "Authorization header requires 'SignedHeaders' parameter. ");
		if (signature->date.length == 0)
			appendStringInfoString(&message, "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ");
		if (message.len > 0)
			appendStringInfo(&message, "Authorization=%s", show_text(header));
	}
	return message.len > 0 ? make_fault(EXCEPTION_INCOMPLETE, message.data) : no_fault;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Dates
 */

/* That many digits as a number; -1 if one is none. */
static int
read_digits(const char *data, int count)
{
	int			number = 0;

	for (int i = 0; i < count; i++)
	{
		if (data[i] < '0' || data[i] > '9')
			return -1;
		number = number * 10 + data[i] - '0';
	}
	return number;
}

/* A date from its parts, each -1 if it was no number; false if there is no such day or time. */
static bool
combine_date(int year, int month, int day, int hour, int minute, int second, TimestampTz *date)
{
	if (year < 1970 || month < 1 || month > MONTHS_PER_YEAR || day < 1 || day > day_tab[isleap(year)][month - 1] ||
		hour < 0 || hour >= HOURS_PER_DAY || minute < 0 || minute >= MINS_PER_HOUR || second < 0 || second > SECS_PER_MINUTE)
		return false;
	*date = (date2j(year, month, day) - POSTGRES_EPOCH_JDATE) * USECS_PER_DAY +
		((hour * MINS_PER_HOUR + minute) * SECS_PER_MINUTE + second) * USECS_PER_SEC;
	return true;
}

/*
 * parse_date
 *		20130609T100015Z, or what a Date header may also be: Sun, 09 Jun 2013 10:00:15 GMT (RFC 9110, section 5.6.7), or -0000 for GMT.
 */
static bool
parse_date(HttpText text, TimestampTz *date)
{
	static const char *const zones[] = {" GMT", " -0000", " +0000"};
	const char *data = text.data;

	if (text.length == DATE_LENGTH && data[DAY_LENGTH] == 'T' && data[DATE_LENGTH - 1] == 'Z')
		return combine_date(read_digits(data, 4), read_digits(data + 4, 2), read_digits(data + 6, 2),
							read_digits(data + 9, 2), read_digits(data + 11, 2), read_digits(data + 13, 2), date);
	for (int i = 0; i < lengthof(zones); i++)
	{
		if (text.length != MAIL_DATE_LENGTH + strlen(zones[i]) || data[3] != ',' || data[19] != ':' || data[22] != ':' ||
			memcmp(data + MAIL_DATE_LENGTH, zones[i], strlen(zones[i])) != 0)
			continue;
		for (int month = 1; month <= MONTHS_PER_YEAR; month++)
			if (memcmp(data + 8, months[month - 1], 3) == 0)
				return combine_date(read_digits(data + 12, 4), month, read_digits(data + 5, 2),
									read_digits(data + 17, 2), read_digits(data + 20, 2), read_digits(data + 23, 2), date);
	}
	return false;
}

/* 20130609T100015Z, palloc'd. */
static char *
format_date(TimestampTz date)
{
	struct pg_tm tm;
	fsec_t		fraction;

	if (timestamp2tm(date, NULL, &tm, &fraction, NULL, NULL) != 0)
		ereport(ERROR, (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE), errmsg("timestamp out of range")));
	return psprintf("%04d%02d%02dT%02d%02d%02dZ", tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

static const char *
format_seconds(int seconds)
{
	return seconds % SECS_PER_MINUTE == 0 ? psprintf("%d min.", seconds / SECS_PER_MINUTE) : psprintf("%d sec.", seconds);
}

/*
 * check_date
 *		Is the request of now?  A presigned one may live shorter or longer than 15 minutes.
 */
static SignatureFault
check_date(const Signature *signature, TimestampTz now, char **date_text)
{
	TimestampTz date;
	int			lifetime = SKEW;

	if (!parse_date(signature->date, &date))
		return make_fault(EXCEPTION_INCOMPLETE,
						  psprintf("Date must be in ISO-8601 'basic format'. Got '%s'. See http://en.wikipedia.org/wiki/ISO_8601",
								   show_text(signature->date)));
	*date_text = format_date(date);
	if (signature->expires.data != NULL)
	{
		HttpText	expires = signature->expires;

		if (expires.length == 0 || expires.length > 9 || (lifetime = read_digits(expires.data, expires.length)) < 0)
			return make_fault(EXCEPTION_INCOMPLETE, "X-Amz-Expires should be a number");
		if (lifetime > MAX_EXPIRES)
			return make_fault(EXCEPTION_INCOMPLETE,
							  psprintf("X-Amz-Expires must be less than a week (in seconds); that is, "
									   "the given X-Amz-Expires must be less than %d seconds", MAX_EXPIRES));
	}
	if (date + lifetime * USECS_PER_SEC < now)
		return make_fault(EXCEPTION_INVALID,
						  psprintf("Signature expired: %s is now earlier than %s (%s - %s)", *date_text,
								   format_date(now - lifetime * USECS_PER_SEC), format_date(now), format_seconds(lifetime)));
	if (date > now + SKEW * USECS_PER_SEC)
		return make_fault(EXCEPTION_INVALID,
						  psprintf("Signature not yet current: %s is still later than %s (%s + %s)", *date_text,
								   format_date(now + SKEW * USECS_PER_SEC), format_date(now), format_seconds(SKEW)));
	return no_fault;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Credential
 */

static bool
is_region(HttpText text)
{
	if (text.length < 2 || text.length > MAX_REGION_LENGTH)
		return false;
	for (size_t i = 0; i < text.length; i++)
		if (!(text.data[i] >= 'a' && text.data[i] <= 'z') && !(text.data[i] >= '0' && text.data[i] <= '9') && text.data[i] != '-')
			return false;
	return true;
}

static SignatureFault
split_credential(HttpText credential, const char *date, HttpText *parts)
{
	HttpText	rest = credential;
	HttpText	part;
	int			count = 0;
	StringInfoData message;

	while (next_part(&rest, "/", &part))
	{
		if (count < CREDENTIAL_PARTS)
			parts[count] = part;
		count++;
	}
	if (count != CREDENTIAL_PARTS)
		return make_fault(EXCEPTION_INCOMPLETE,
						  psprintf("Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '%s'",
								   show_text(credential)));

	initStringInfo(&message);
	if (!is_region(parts[CREDENTIAL_REGION]))
		appendStringInfo(&message, "Credential should be scoped to a valid region, not '%s'. ", show_text(parts[CREDENTIAL_REGION]));
	if (!HttpTextEquals(parts[CREDENTIAL_SERVICE], SERVICE))
		appendStringInfoString(&message, "Credential should be scoped to correct service: '" SERVICE "'. ");
	if (!HttpTextEquals(parts[CREDENTIAL_TERMINATOR], TERMINATOR))
		appendStringInfo(&message, "Credential should be scoped with a valid terminator: '" TERMINATOR "', not '%s'. ",
						 show_text(parts[CREDENTIAL_TERMINATOR]));
	if (parts[CREDENTIAL_DAY].length != DAY_LENGTH || memcmp(parts[CREDENTIAL_DAY].data, date, DAY_LENGTH) != 0)
		appendStringInfo(&message, "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: "
						 "'%s' != '%.*s', from '%s'. ", show_text(parts[CREDENTIAL_DAY]), DAY_LENGTH, date, date);
	return message.len > 0 ? make_fault(EXCEPTION_INVALID, message.data) : no_fault;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * The canonical request
 */

static void
append_encoded(StringInfo out, HttpText text, bool keep_slash)
{
	for (size_t i = 0; i < text.length; i++)
	{
		unsigned char c = text.data[i];

		if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
			c == '-' || c == '.' || c == '_' || c == '~' || (c == '/' && keep_slash))
			appendStringInfoChar(out, c);
		else
			appendStringInfo(out, "%%%02X", c);
	}
}

/*
 * append_path
 *		The path without empty and dot segments, encoded once more than it was sent: every service but S3 signs it so.
 */
static void
append_path(StringInfo out, HttpText path)
{
	StringInfoData normal;
	HttpText	rest = path;
	HttpText	segment;

	initStringInfo(&normal);
	while (next_part(&rest, "/", &segment))
	{
		if (segment.length == 0 || HttpTextEquals(segment, "."))
			continue;
		if (HttpTextEquals(segment, ".."))
		{
			while (normal.len > 0 && normal.data[--normal.len] != '/')
				;
			continue;
		}
		appendStringInfoChar(&normal, '/');
		appendBinaryStringInfo(&normal, segment.data, segment.length);
	}
	if (normal.len == 0 || path.data[path.length - 1] == '/')
		appendStringInfoChar(&normal, '/');
	append_encoded(out, make_text(normal.data, normal.len), true);
}

static int
compare_parameters(const void *a, const void *b)
{
	const QueryParameter *first = a;
	const QueryParameter *second = b;
	int			result = compare_texts(&first->name, &second->name);

	return result != 0 ? result : compare_texts(&first->value, &second->value);
}

/* Sorted by the encoded names, then the encoded values; the signature itself is not signed. */
static void
append_query(StringInfo out, const Signature *signature)
{
	QueryParameter *encoded;
	int			count = 0;

	if (signature->parameter_count == 0)
		return;
	encoded = palloc(signature->parameter_count * sizeof(QueryParameter));
	for (int i = 0; i < signature->parameter_count; i++)
	{
		const QueryParameter *parameter = &signature->parameters[i];
		StringInfoData text;

		if (signature->is_presigned && HttpTextEquals(parameter->name, "X-Amz-Signature"))
			continue;
		initStringInfo(&text);
		append_encoded(&text, parameter->name, false);
		encoded[count].name = make_text(text.data, text.len);
		initStringInfo(&text);
		append_encoded(&text, parameter->value, false);
		encoded[count++].value = make_text(text.data, text.len);
	}
	qsort(encoded, count, sizeof(QueryParameter), compare_parameters);
	for (int i = 0; i < count; i++)
	{
		if (i > 0)
			appendStringInfoChar(out, '&');
		appendBinaryStringInfo(out, encoded[i].name.data, encoded[i].name.length);
		appendStringInfoChar(out, '=');
		appendBinaryStringInfo(out, encoded[i].value.data, encoded[i].value.length);
	}
}

/* The names of SignedHeaders in lower case, sorted, each once (or a short list could ask for a long header again and again); palloc'd. */
static HttpText *
split_signed_headers(HttpText signed_headers, int *count)
{
	char	   *lower = palloc(signed_headers.length + 1);
	HttpText	rest = make_text(lower, signed_headers.length);
	HttpText   *names = palloc((signed_headers.length + 1) * sizeof(HttpText));
	int			all = 0;

	for (size_t i = 0; i < signed_headers.length; i++)
		lower[i] = pg_ascii_tolower((unsigned char) signed_headers.data[i]);
	while (next_part(&rest, ";", &names[all]))
		all++;
	qsort(names, all, sizeof(HttpText), compare_texts);
	*count = 0;
	for (int i = 0; i < all; i++)
		if (i == 0 || compare_texts(&names[i], &names[*count - 1]) != 0)
			names[(*count)++] = names[i];
	return names;
}

static bool
is_signed(const HttpText *names, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (HttpTextEquals(names[i], name))
			return true;
	return false;
}

/* Without blanks at the ends, and with one for each run of them inside. */
static void
append_header_value(StringInfo out, HttpText value)
{
	HttpText	word;
	bool		is_first = true;

	while (next_part(&value, " \t", &word))
	{
		if (word.length == 0)
			continue;
		if (!is_first)
			appendStringInfoChar(out, ' ');
		appendBinaryStringInfo(out, word.data, word.length);
		is_first = false;
	}
}

/* One line for a name; headers of the same name are one header whose values are joined by commas. */
static void
append_header(StringInfo out, const HttpRequest *request, HttpText name)
{
	bool		is_first = true;

	appendBinaryStringInfo(out, name.data, name.length);
	appendStringInfoChar(out, ':');
	for (int i = 0; i < request->header_count; i++)
	{
		const HttpHeader *header = &request->headers[i];

		if (header->name.length != name.length || pg_strncasecmp(header->name.data, name.data, name.length) != 0)
			continue;
		if (!is_first)
			appendStringInfoChar(out, ',');
		append_header_value(out, header->value);
		is_first = false;
	}
	appendStringInfoChar(out, '\n');
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Cryptography
 */

static void
write_hex(const uint8 *digest, char *hex)
{
	hex_encode((const char *) digest, PG_SHA256_DIGEST_LENGTH, hex);
	hex[HEX_DIGEST_LENGTH] = '\0';
}

/* SHA-256 in hexadecimal, terminated. */
static void
compute_hash(const char *data, size_t length, char *hex)
{
	uint8		digest[PG_SHA256_DIGEST_LENGTH];

	if (pg_cryptohash_init(hash_context) < 0 ||
		pg_cryptohash_update(hash_context, (const uint8 *) data, length) < 0 ||
		pg_cryptohash_final(hash_context, digest, sizeof(digest)) < 0)
		elog(ERROR, "could not compute SHA-256: %s", pg_cryptohash_error(hash_context));
	write_hex(digest, hex);
}

static void
compute_hmac(const void *key, size_t key_length, const char *data, size_t length, uint8 *digest)
{
	if (pg_hmac_init(hmac_context, key, key_length) < 0 ||
		pg_hmac_update(hmac_context, (const uint8 *) data, length) < 0 ||
		pg_hmac_final(hmac_context, digest, PG_SHA256_DIGEST_LENGTH) < 0)
		elog(ERROR, "could not compute HMAC: %s", pg_hmac_error(hmac_context));
}

/* day/region/service/aws4_request, as the credential has it. */
static HttpText
get_scope(const HttpText *parts)
{
	const char *start = parts[CREDENTIAL_DAY].data;
	HttpText	last = parts[CREDENTIAL_TERMINATOR];

	return make_text(start, last.data + last.length - start);
}

/*
 * find_signing_key
 *		The key of a secret for a scope, made or kept from an earlier request.
 *
 * What the key is made of is compared in full, so a kept key is never another secret's.  It stays until another one needs its slot.
 */
static const uint8 *
find_signing_key(const char *secret, size_t secret_length, const HttpText *parts)
{
	HttpText	scope = get_scope(parts);
	size_t		length = secret_length + 1 + scope.length;
	char	   *source = palloc(length);
	SigningKey *slot;
	StringInfoData first;
	uint8		key[PG_SHA256_DIGEST_LENGTH];

	memcpy(source, secret, secret_length);
	source[secret_length] = '\0';
	memcpy(source + secret_length + 1, scope.data, scope.length);
	slot = &signing_keys[hash_bytes((const unsigned char *) source, length) % SIGNING_KEY_SLOTS];
	if (slot->source != NULL && slot->source_length == length && memcmp(slot->source, source, length) == 0)
		return slot->key;

	initStringInfo(&first);
	appendStringInfoString(&first, "AWS4");
	appendBinaryStringInfo(&first, secret, secret_length);
	compute_hmac(first.data, first.len, parts[CREDENTIAL_DAY].data, parts[CREDENTIAL_DAY].length, key);
	for (int i = CREDENTIAL_REGION; i <= CREDENTIAL_TERMINATOR; i++)
		compute_hmac(key, sizeof(key), parts[i].data, parts[i].length, key);

	if (slot->source != NULL)
		pfree(slot->source);
	slot->source = NULL;		/* the next line may fail */
	slot->source = MemoryContextAlloc(key_context, length);
	memcpy(slot->source, source, length);
	slot->source_length = length;
	memcpy(slot->key, key, sizeof(key));
	return slot->key;
}

/* Takes the same time wherever the two differ. */
static bool
signatures_equal(HttpText given, const char *computed)
{
	volatile unsigned char difference = 0;

	if (given.length != HEX_DIGEST_LENGTH)
		return false;
	for (size_t i = 0; i < given.length; i++)
		difference |= (unsigned char) given.data[i] ^ (unsigned char) computed[i];
	return difference == 0;
}

/*
 * compute_signature
 *		The signature that the request should have, in hexadecimal.
 */
static void
compute_signature(const HttpRequest *request, const Signature *signature, const HttpText *names, int name_count,
				  const char *body_hash, const char *date, const HttpText *parts, const uint8 *key, char *result)
{
	HttpText	scope = get_scope(parts);
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	StringInfoData canonical;
	StringInfoData to_sign;

	initStringInfo(&canonical);
	appendBinaryStringInfo(&canonical, request->method.data, request->method.length);
	appendStringInfoChar(&canonical, '\n');
	append_path(&canonical, request->path);
	appendStringInfoChar(&canonical, '\n');
	append_query(&canonical, signature);
	appendStringInfoChar(&canonical, '\n');
	for (int i = 0; i < name_count; i++)
		append_header(&canonical, request, names[i]);
	appendStringInfoChar(&canonical, '\n');
	for (int i = 0; i < name_count; i++)
	{
		if (i > 0)
			appendStringInfoChar(&canonical, ';');
		appendBinaryStringInfo(&canonical, names[i].data, names[i].length);
	}
	appendStringInfo(&canonical, "\n%s", body_hash);

	compute_hash(canonical.data, canonical.len, result);
	initStringInfo(&to_sign);
	appendStringInfo(&to_sign, ALGORITHM "\n%s\n%.*s\n%s", date, (int) scope.length, scope.data, result);
	compute_hmac(key, PG_SHA256_DIGEST_LENGTH, to_sign.data, to_sign.len, digest);
	write_hex(digest, result);
}

SignatureFault
SignatureVerify(const HttpRequest *request, TimestampTz now, SignatureFindSecret find_secret, void *argument)
{
	Signature	signature;
	SignatureFault fault;
	char	   *date = NULL;
	HttpText	parts[CREDENTIAL_PARTS];
	HttpText   *names;
	int			name_count;
	const char *secret;
	size_t		secret_length;
	HttpText	declared_hash = HttpFindHeader(request, "X-Amz-Content-SHA256", NULL);
	char		body_hash[HEX_DIGEST_LENGTH + 1];
	char		computed[HEX_DIGEST_LENGTH + 1];

	Assert(hmac_context != NULL);
	fault = read_signature(request, &signature);
	if (fault.exception == NULL)
		fault = check_date(&signature, now, &date);
	if (fault.exception != NULL)
		return fault;

	names = split_signed_headers(signature.signed_headers, &name_count);
	if (!is_signed(names, name_count, "host"))
		return make_fault(EXCEPTION_INVALID, "'Host' must be a 'SignedHeader' in the AWS Authorization.");
	/* Without this the operation could be exchanged on the way. */
	if (!is_signed(names, name_count, "x-amz-target") && HttpFindHeader(request, "X-Amz-Target", NULL).data != NULL)
		return make_fault(EXCEPTION_INVALID, "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");
	if (!HttpTextEquals(signature.algorithm, ALGORITHM))
		return make_fault(EXCEPTION_INCOMPLETE,
						  psprintf("Unsupported AWS 'algorithm': '%s' (only " ALGORITHM " for now). ", show_text(signature.algorithm)));
	fault = split_credential(signature.credential, date, parts);
	if (fault.exception != NULL)
		return fault;
	if (!find_secret(parts[CREDENTIAL_KEY_ID], &secret, &secret_length, argument))
		return make_fault(EXCEPTION_UNRECOGNIZED, "The security token included in the request is invalid.");

	compute_hash(request->body.data != NULL ? request->body.data : "", request->body.length, body_hash);
	compute_signature(request, &signature, names, name_count, body_hash, date, parts,
					  find_signing_key(secret, secret_length, parts), computed);
	/* The hash that a client declares must be the body's: UNSIGNED-PAYLOAD is for S3. */
	if (!signatures_equal(signature.signature, computed) || (declared_hash.data != NULL && !HttpTextEquals(declared_hash, body_hash)))
		return make_fault(EXCEPTION_INVALID,
						  "The request signature we calculated does not match the signature you provided. "
						  "Check your AWS Secret Access Key and signing method. Consult the service documentation for details.");
	/* Access keys are for good: nobody is given a token. */
	if (signature.token.length > 0)
		return make_fault(EXCEPTION_UNRECOGNIZED, "The security token included in the request is invalid");
	return no_fault;
}
