/*
 * src/api/api_tag.c
 *		Tags of tables: TagResource, UntagResource, ListTagsOfResource.
 *
 * Source: reference/tables-and-indexes, section 10.  Lengths are characters.  Of the characters outside ASCII all are taken for the letters
 * that the service allows.  Streams have no tags of their own.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "api/api_table.h"

#define TAG_MAX_COUNT 50		/* of a table */
#define TAG_MAX_KEY_LENGTH 128
#define TAG_MAX_VALUE_LENGTH 256
#define TAG_PAGE_LENGTH 10		/* tags that ListTagsOfResource returns at once */

/* ---------------------------------------------------------------------------------------------------------------------
 * Checks
 */

/*
 * is_tag_text
 *		Letters, digits, white space and + - = . _ : / @, at most so many characters.
 */
static bool
is_tag_text(const ApiString *text, int maximum)
{
	if (text->data == NULL || pg_mbstrlen_with_len(text->data, text->length) > maximum)
		return false;
	for (uint32 i = 0; i < text->length; i++)
	{
		char		c = text->data[i];

		if (!IS_HIGHBIT_SET(c) && !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) &&
			(c == '\0' || strchr(" \t\n\v\f\r+-=._:/@", c) == NULL))
			return false;
	}
	return true;
}

static int
compare_keys(const void *a, const void *b)
{
	return strcmp((*(const ApiTag *const *) a)->key.data, (*(const ApiTag *const *) b)->key.data);
}

void
ApiCheckTags(const ApiList *tags)
{
	const ApiTag **sorted = palloc((tags->count + 1) * sizeof(sorted[0]));

	for (int i = 0; i < tags->count; i++)
	{
		const ApiTag *tag = TagAt(tags, i);

		if (tag->key.length == 0 || !is_tag_text(&tag->key, TAG_MAX_KEY_LENGTH))
			validation_error("The Tag Key provided is invalid, Key: %s", tag->key.data ? tag->key.data : "null");
		if (!is_tag_text(&tag->value, TAG_MAX_VALUE_LENGTH))
			validation_error("The Tag Value provided is invalid, Value: %s", tag->value.data ? tag->value.data : "null");
		if (strncmp(tag->key.data, "aws:", 4) == 0)
			validation_error("Tag Key cannot be prefixed with aws:, Key: %s", tag->key.data);
		sorted[i] = tag;
	}
	qsort(sorted, tags->count, sizeof(sorted[0]), compare_keys);
	for (int i = 1; i < tags->count; i++)
		if (compare_keys(&sorted[i - 1], &sorted[i]) == 0)
			validation_error("Duplicate Tag Keys provided as input: Duplicate Tag Key found %s", sorted[i]->key.data);
	if (tags->count > TAG_MAX_COUNT)
		validation_error("Number of Tags exceed the current limit for the provided ResourceArn");
}

static void
report_bad_arn(const ApiString *arn)
{
	validation_error("Invalid TableArn: Invalid ResourceArn provided as input %s", arn->data);
}

/*
 * split_arn
 *		The next field of an ARN, up to a colon; moves on behind it.
 */
static char *
split_arn(const char **position, const ApiString *arn)
{
	const char *colon = strchr(*position, ':');
	char	   *field;

	if (colon == NULL)
		report_bad_arn(arn);
	field = pnstrdup(*position, colon - *position);
	*position = colon + 1;
	return field;
}

/*
 * table_of_arn
 *		The name of the table that an ARN names: arn:aws:dynamodb:<region>:<account>:table/<name>.
 */
static ApiString
table_of_arn(const ApiRequest *request, const ApiString *arn)
{
	const char *position;
	ApiString	name = {0};

	if (arn->data == NULL)
		validation_error("Invalid TableArn");
	if (strncmp(arn->data, "arn:", 4) != 0)
		validation_error(MESSAGE_PARAMETERS "ARNs must start with 'arn:': %s", arn->data);
	position = arn->data + 4;
	(void) split_arn(&position, arn);	/* the partition, aws */
	if (strcmp(split_arn(&position, arn), "dynamodb") != 0)
		validation_error(MESSAGE_PARAMETERS "Provided Arn is not a DynamoDB resource arn: %s", arn->data);
	if (strcmp(split_arn(&position, arn), API_REGION) != 0)
		report_bad_arn(arn);
	if (strcmp(split_arn(&position, arn), API_ACCOUNT) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_KV_ACCESS_DENIED),
				 errmsg("User: arn:aws:iam::%s:user/%s is not authorized to perform: dynamodb:%s on resource: %s",
						API_ACCOUNT, GetUserNameFromId(GetUserId(), false), request->operation, arn->data)));
	if (strncmp(position, "table/", 6) != 0)
		report_bad_arn(arn);
	name.data = position + 6;
	name.length = strlen(name.data);
	if (strstr(name.data, "/index/") != NULL)
		validation_error(MESSAGE_PARAMETERS "Invalid resource arn provided, only table or stream is accepted. "
						 "Provided resource arn: %s", arn->data);
	return name;
}

static Oid
tagged_table(ApiRequest *request, const ApiString *arn, const ApiString *name)
{
	Oid			relid = ApiFindItemTable(request, name);

	if (!OidIsValid(relid))
		ereport(ERROR,
				(errcode(ERRCODE_KV_RESOURCE_NOT_FOUND),
				 errmsg("Requested resource not found: ResourcArn: %s not found", arn->data)));
	return relid;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Changes
 */

static int
compare_tags(const void *a, const void *b)
{
	return strcmp(((const TableTag *) a)->key, ((const TableTag *) b)->key);
}

static TableTag *
find_tag(const TableSettings *settings, const char *key)
{
	for (int i = 0; i < settings->tag_count; i++)
		if (strcmp(settings->tags[i].key, key) == 0)
			return &settings->tags[i];
	return NULL;
}

void
ApiAddTags(TableSettings *settings, const ApiList *tags)
{
	TableTag   *merged = palloc((settings->tag_count + tags->count + 1) * sizeof(TableTag));

	memcpy(merged, settings->tags, settings->tag_count * sizeof(TableTag));
	settings->tags = merged;
	for (int i = 0; i < tags->count; i++)
	{
		const ApiTag *tag = TagAt(tags, i);
		TableTag   *target = find_tag(settings, tag->key.data);

		if (target == NULL)
			target = &settings->tags[settings->tag_count++];
		target->key = unconstify(char *, tag->key.data);
		target->value = unconstify(char *, tag->value.data);
	}
	if (settings->tag_count > TAG_MAX_COUNT)
		validation_error("Number of Tags exceed the current limit for the provided ResourceArn");
	qsort(settings->tags, settings->tag_count, sizeof(TableTag), compare_tags);
}

void
ApiTagResource(ApiRequest *request, StringInfo response)
{
	ApiTagRequest *bound = request->bound;
	ApiConstraints constraints = {0};
	TableSettings *settings;
	ApiString	name;

	ApiCheckNotNull(&constraints, bound->tags.is_present, "tags");
	ApiConstraintsRaise(&constraints);
	name = table_of_arn(request, &bound->resource_arn);
	if (bound->tags.count == 0)
		validation_error("Atleast one Tag needs to be provided as Input.");
	ApiCheckTags(&bound->tags);

	settings = ApiLockSettings(tagged_table(request, &bound->resource_arn, &name), name.data);
	ApiAddTags(settings, &bound->tags);
	TableSettingsWrite(settings);
	/* The service's body is empty, which no json is. */
	appendStringInfoString(response, "{}");
}

void
ApiUntagResource(ApiRequest *request, StringInfo response)
{
	ApiTagRequest *bound = request->bound;
	ApiConstraints constraints = {0};
	TableSettings *settings;
	ApiString	name;

	ApiCheckNotNull(&constraints, bound->tag_keys.is_present, "tagKeys");
	ApiConstraintsRaise(&constraints);
	name = table_of_arn(request, &bound->resource_arn);
	if (bound->tag_keys.count == 0)
		validation_error("Atleast one Tag Key needs to be provided as Input.");

	settings = ApiLockSettings(tagged_table(request, &bound->resource_arn, &name), name.data);
	for (int i = 0; i < bound->tag_keys.count; i++)
	{
		const ApiString *key = StringAt(&bound->tag_keys, i);
		TableTag   *tag = key->data ? find_tag(settings, key->data) : NULL;

		if (tag == NULL)
			continue;
		settings->tag_count--;
		memmove(tag, tag + 1, (settings->tags + settings->tag_count - tag) * sizeof(TableTag));
	}
	if (settings->is_stored)
		TableSettingsWrite(settings);
	appendStringInfoString(response, "{}");
}

/*
 * ApiListTagsOfResource
 *		In the order of their keys; NextToken is the last key of the page.
 */
void
ApiListTagsOfResource(ApiRequest *request, StringInfo response)
{
	ApiTagRequest *bound = request->bound;
	ApiString	name = table_of_arn(request, &bound->resource_arn);
	Oid			relid = tagged_table(request, &bound->resource_arn, &name);
	TableSettings *settings = TableSettingsRead(relid);
	int			listed = 0;
	bool		has_more = false;
	const char *last = NULL;

	ApiRequireSelect(relid, name.data);
	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "Tags");
	appendStringInfoChar(response, '[');
	for (int i = 0; i < settings->tag_count; i++)
	{
		const TableTag *tag = &settings->tags[i];

		if (bound->next_token.data != NULL && strcmp(tag->key, bound->next_token.data) <= 0)
			continue;
		if ((has_more = listed == TAG_PAGE_LENGTH))
			break;
		ApiWriteElement(response);
		appendStringInfoChar(response, '{');
		ApiWriteMember(response, "Key");
		ApiWriteText(response, tag->key);
		ApiWriteMember(response, "Value");
		ApiWriteText(response, tag->value);
		appendStringInfoChar(response, '}');
		last = tag->key;
		listed++;
	}
	appendStringInfoChar(response, ']');
	if (has_more)
	{
		ApiWriteMember(response, "NextToken");
		ApiWriteText(response, last);
	}
	appendStringInfoChar(response, '}');
}
