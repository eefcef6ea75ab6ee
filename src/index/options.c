/*
 * src/index/options.c
 *		The options of gsi and lsi indexes: CREATE INDEX ... WITH (projection = 'KEYS_ONLY', ...).
 *
 * They describe the index to the operations of the upper layers; none of them changes what the index contains, so ALTER INDEX ... SET
 * can never make it wrong.  nbtree's own options keep their places at the start of the struct, where nbtree reads them.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "access/reloptions.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "base/compat.h"
#include "index/index_internal.h"

#define MAX_PARTITION_KEYS 4
#define MAX_SORT_KEYS 4
#define MAX_NAME_BYTES 255

static relopt_kind option_kind;

static relopt_enum_elt_def projection_values[] = {
	{"ALL", PROJECTION_ALL},
	{"KEYS_ONLY", PROJECTION_KEYS_ONLY},
	{"INCLUDE", PROJECTION_INCLUDE},
	{NULL}
};

/*
 * parse_names
 *		The members of a JSON array of strings.
 *
 * Returns their number, and with names not NULL the palloc'd strings; -1 when the text is JSON but no such array, or holds an
 * empty string.  Raises PostgreSQL's own error when it is no JSON.
 */
static int
parse_names(const char *text, const char ***names)
{
	Jsonb	   *array = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(text)));
	JsonbIterator *iterator = JsonbIteratorInit(&array->root);
	JsonbValue	member;
	JsonbIteratorToken token;
	int			count = 0;

	if (!JB_ROOT_IS_ARRAY(array) || JB_ROOT_IS_SCALAR(array))
		return -1;
	if (names)
		*names = palloc(sizeof(char *) * Max(JB_ROOT_COUNT(array), 1));
	while ((token = JsonbIteratorNext(&iterator, &member, true)) != WJB_DONE)
	{
		if (token != WJB_ELEM)
			continue;
		if (member.type != jbvString || member.val.string.len == 0)
			return -1;
		if (names)
			(*names)[count] = pnstrdup(member.val.string.val, member.val.string.len);
		count++;
	}
	return count;
}

static void
check_name(const char *value)
{
	if (value == NULL)
		return;
	if (value[0] == '\0' || strlen(value) > MAX_NAME_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for option \"name\""),
				 errdetail("The name of an index has 1 to %d bytes.", MAX_NAME_BYTES)));
}

static void
check_non_key_attributes(const char *value)
{
	if (value != NULL && parse_names(value, NULL) < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for option \"non_key_attributes\": %s", value),
				 errdetail("It must be a JSON array of attribute names, as in '[\"name\", \"price\"]'.")));
}

void
IndexOptionsInit(void)
{
	option_kind = add_reloption_kind();

	/* nbtree's, with its words and limits. */
	add_int_reloption(option_kind, "fillfactor", "Packs btree index pages only to this percentage",
					  BTREE_DEFAULT_FILLFACTOR, BTREE_MIN_FILLFACTOR, 100, ShareUpdateExclusiveLock);
	add_bool_reloption(option_kind, "deduplicate_items", "Enables \"deduplicate items\" feature for this btree index",
					   true, ShareUpdateExclusiveLock);

	/* Session-lived descriptors of the table depend on these: a change must wait for readers and writers. */
	add_string_reloption(option_kind, "name", "Name of the index in the API, if it is not the relation's",
						 NULL, check_name, AccessExclusiveLock);
	add_int_reloption(option_kind, "partition_keys", "Number of leading columns that are the partition key",
					  1, 1, MAX_PARTITION_KEYS, AccessExclusiveLock);
	add_int_reloption(option_kind, "sort_keys", "Number of columns behind the partition key that are the sort key",
					  -1, -1, MAX_SORT_KEYS, AccessExclusiveLock);
	add_enum_reloption(option_kind, "projection", "Attributes that are seen through the index", projection_values,
					   PROJECTION_ALL, "Valid values are \"ALL\", \"KEYS_ONLY\" and \"INCLUDE\".", AccessExclusiveLock);
	add_string_reloption(option_kind, "non_key_attributes", "JSON array of the other attributes that an INCLUDE projection shows",
						 NULL, check_non_key_attributes, AccessExclusiveLock);
}

bytea *
gsioptions(Datum options, bool validate)
{
	static const relopt_parse_elt elements[] = {
		{"fillfactor", RELOPT_TYPE_INT, offsetof(ItemIndexOptions, btree.fillfactor)},
		{"deduplicate_items", RELOPT_TYPE_BOOL, offsetof(ItemIndexOptions, btree.deduplicate_items)},
		{"partition_keys", RELOPT_TYPE_INT, offsetof(ItemIndexOptions, partition_keys)},
		{"sort_keys", RELOPT_TYPE_INT, offsetof(ItemIndexOptions, sort_keys)},
		{"projection", RELOPT_TYPE_ENUM, offsetof(ItemIndexOptions, projection)},
		{"name", RELOPT_TYPE_STRING, offsetof(ItemIndexOptions, name_offset)},
		{"non_key_attributes", RELOPT_TYPE_STRING, offsetof(ItemIndexOptions, non_key_attributes_offset)}
	};

	return (bytea *) build_reloptions(options, validate, option_kind, sizeof(ItemIndexOptions), elements, lengthof(elements));
}

/*
 * ItemIndexGetDefinition
 *		What the options of an index say, with the defaults filled in; strings are palloc'd in the current context.
 *
 * ALTER INDEX cannot be stopped from counting more key columns than there are, so the counts are cut to what is there.
 */
void
ItemIndexGetDefinition(Relation index, ItemIndexDefinition *definition)
{
	ItemIndexOptions *options = (ItemIndexOptions *) index->rd_options;
	int			key_count = IndexRelationGetNumberOfKeyAttributes(index);

	memset(definition, 0, sizeof(*definition));
	definition->partition_keys = 1;
	definition->sort_keys = -1;
	definition->projection = PROJECTION_ALL;
	if (options)
	{
		definition->partition_keys = Min(options->partition_keys, key_count);
		definition->sort_keys = Min(options->sort_keys, key_count - definition->partition_keys);
		definition->projection = (IndexProjection) options->projection;
		if (options->name_offset != 0)
			definition->name = pstrdup((char *) options + options->name_offset);
		if (options->non_key_attributes_offset != 0)
			definition->non_key_attribute_count =
				Max(parse_names((char *) options + options->non_key_attributes_offset, &definition->non_key_attributes), 0);
	}
	if (definition->name == NULL)
		definition->name = pstrdup(RelationGetRelationName(index));
}
