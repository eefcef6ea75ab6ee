/*
 * src/api/api_constraint.c
 *		Constraint errors of requests, in the service's aggregated form.
 *
 * Source: reference/errors, section 6.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "api/api_internal.h"

#define MAX_LISTED 10			/* failures in one message */

void
ApiConstraintFailText(ApiConstraints *constraints, const char *text)
{
	constraints->count++;
	if (constraints->count > MAX_LISTED)
		return;
	if (constraints->count == 1)
		initStringInfo(&constraints->text);
	else
		appendStringInfoString(&constraints->text, "; ");
	appendStringInfoString(&constraints->text, text);
}

void
ApiConstraintFail(ApiConstraints *constraints, const ApiString *value, const char *path, const char *constraint)
{
	if (value == NULL || value->data == NULL)
		ApiConstraintFailText(constraints, psprintf("Value null at '%s' failed to satisfy constraint: %s", path, constraint));
	else
		ApiConstraintFailText(constraints, psprintf("Value '%s' at '%s' failed to satisfy constraint: %s", value->data, path, constraint));
}

void
ApiCheckNotNull(ApiConstraints *constraints, bool is_present, const char *path)
{
	if (!is_present)
		ApiConstraintFail(constraints, NULL, path, "Member must not be null");
}

void
ApiCheckLength(ApiConstraints *constraints, const ApiString *value, const char *path, int minimum, int maximum)
{
	int			length;

	if (value->data == NULL)
		return;
	length = pg_mbstrlen_with_len(value->data, value->length);
	if (length < minimum)
		ApiConstraintFail(constraints, value, path, psprintf("Member must have length greater than or equal to %d", minimum));
	if (maximum > 0 && length > maximum)
		ApiConstraintFail(constraints, value, path, psprintf("Member must have length less than or equal to %d", maximum));
}

bool
ApiNameIsValid(const char *name, uint32 length)
{
	for (uint32 i = 0; i < length; i++)
	{
		char		c = name[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-'))
			return false;
	}
	return length > 0;
}

void
ApiCheckPattern(ApiConstraints *constraints, const ApiString *value, const char *path)
{
	if (value->data != NULL && !ApiNameIsValid(value->data, value->length))
		ApiConstraintFail(constraints, value, path, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
}

void
ApiCheckMinimum(ApiConstraints *constraints, const ApiInteger *value, const char *path, int64 minimum)
{
	if (value->is_present && value->value < minimum)
		ApiConstraintFailText(constraints,
							  psprintf("Value '" INT64_FORMAT "' at '%s' failed to satisfy constraint: "
									   "Member must have value greater than or equal to " INT64_FORMAT,
									   value->value, path, minimum));
}

void
ApiCheckMaximum(ApiConstraints *constraints, const ApiInteger *value, const char *path, int64 maximum)
{
	if (value->is_present && value->value > maximum)
		ApiConstraintFailText(constraints,
							  psprintf("Value '" INT64_FORMAT "' at '%s' failed to satisfy constraint: "
									   "Member must have value less than or equal to " INT64_FORMAT,
									   value->value, path, maximum));
}

int
ApiCheckEnum(ApiConstraints *constraints, const ApiString *value, const char *path, const char *set)
{
	const char *word = set + 1; /* after the bracket */

	if (value->data == NULL)
		return -1;
	for (int position = 0;; position++)
	{
		size_t		length = strcspn(word, ",]");

		if (length == value->length && memcmp(word, value->data, length) == 0)
			return position;
		if (word[length] != ',')
			break;
		word += length + 2;		/* the comma and a blank */
	}
	ApiConstraintFail(constraints, value, path, psprintf("Member must satisfy enum value set: %s", set));
	return -1;
}

void
ApiConstraintsRaise(ApiConstraints *constraints)
{
	if (constraints->count == 0)
		return;
	validation_error("%d validation error%s detected: %s", Min(constraints->count, MAX_LISTED), constraints->count == 1 ? "" : "s",
					 constraints->text.data);
}
