/*
 * src/expression/scan.c
 *		The tokens of the expression language.
 *
 * There are no literals and no comments; identifiers are ASCII.  What begins no token is a token of one character, so that the
 * parser can name it.  Source: reference/expressions, section 1.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "expression/expression_internal.h"

typedef struct Keyword
{
	const char *name;			/* upper case */
	TokenType	type;
} Keyword;

static const Keyword keywords[] = {
	{"AND", TOKEN_AND},
	{"OR", TOKEN_OR},
	{"NOT", TOKEN_NOT},
	{"BETWEEN", TOKEN_BETWEEN},
	{"IN", TOKEN_IN},
	{"SET", TOKEN_SET},
	{"REMOVE", TOKEN_REMOVE},
	{"ADD", TOKEN_ADD},
	{"DELETE", TOKEN_DELETE},
};

static inline bool
is_letter(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool
is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
is_word_character(unsigned char c)
{
	return is_letter(c) || is_digit(c) || c == '_';
}

static inline bool
is_white_space(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static TokenType
find_keyword(const char *word, uint32 length)
{
	for (int i = 0; i < lengthof(keywords); i++)
		if (strlen(keywords[i].name) == length && pg_strncasecmp(keywords[i].name, word, length) == 0)
			return keywords[i].type;
	return TOKEN_IDENTIFIER;
}

/*
 * The type of a token that begins with a symbol, and its length.
 */
static TokenType
scan_symbol(const char *start, uint32 available, uint32 *length)
{
	char		next = available > 1 ? start[1] : '\0';

	*length = 1;
	switch (*start)
	{
		case '=':
			return TOKEN_EQUAL;
		case '<':
			if (next == '>')
			{
				*length = 2;
				return TOKEN_NOT_EQUAL;
			}
			if (next == '=')
			{
				*length = 2;
				return TOKEN_LESS_OR_EQUAL;
			}
			return TOKEN_LESS;
		case '>':
			if (next == '=')
			{
				*length = 2;
				return TOKEN_GREATER_OR_EQUAL;
			}
			return TOKEN_GREATER;
		case '+':
			return TOKEN_PLUS;
		case '-':
			return TOKEN_MINUS;
		case '(':
			return TOKEN_OPEN_PARENTHESIS;
		case ')':
			return TOKEN_CLOSE_PARENTHESIS;
		case '[':
			return TOKEN_OPEN_BRACKET;
		case ']':
			return TOKEN_CLOSE_BRACKET;
		case ',':
			return TOKEN_COMMA;
		case '.':
			return TOKEN_DOT;
		default:
			*length = Min(pg_utf_mblen((const unsigned char *) start), available);
			return TOKEN_BAD;
	}
}

void
TokenScan(const char *text, uint32 length, uint32 position, Token *token)
{
	const char *start;
	uint32		available;
	uint32		end = 1;		/* bytes of the token */

	while (position < length && is_white_space(text[position]))
		position++;
	start = text + position;
	available = length - position;
	token->start = position;
	token->length = 0;
	token->type = TOKEN_END;
	if (available == 0)
		return;

	if (is_letter(*start))
	{
		while (end < available && is_word_character(start[end]))
			end++;
		token->type = find_keyword(start, end);
	}
	else if (is_digit(*start))
	{
		/* No leading zeros: 01 is two tokens. */
		while (*start != '0' && end < available && is_digit(start[end]))
			end++;
		token->type = TOKEN_INTEGER;
	}
	else if ((*start == '#' || *start == ':') && available > 1 && is_word_character(start[1]))
	{
		while (end < available && is_word_character(start[end]))
			end++;
		token->type = *start == '#' ? TOKEN_NAME_PLACEHOLDER : TOKEN_VALUE_PLACEHOLDER;
	}
	else
		token->type = scan_symbol(start, available, &end);
	token->length = end;
}
