/*
 * src/operation/query.c
 *		Query and Scan: key conditions to a range, start keys, pages.
 *
 * Words: what is read is the table or one of its indexes; its columns are the key columns of that, its key attributes the first of
 * them, partition and sort key, which conditions may name.  An index has more columns than key attributes: the table's key.
 *
 * Source: reference/query-and-scan, whose section 3 is the order of the checks.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "base/error.h"
#include "base/settings.h"
#include "item/json.h"
#include "operation/operation_internal.h"

/* Where a page ends, for the capacity of those who read on. */
#define PAGE_BYTES (1024 * 1024)

/* Bytes to which the items that an LSI query fetches are rounded up, one by one. */
#define READ_UNIT 4096

/* The key of what is read. */
typedef struct ReadKey
{
	int			partition_count;
	int			key_count;		/* key attributes: partition and sort */
	int			column_count;
	const int  *columns;		/* positions in the descriptor's attributes */
} ReadKey;

typedef struct QueryPrivate
{
	QueryRequest *request;
	ReadKey		key;
	PreparedExpression *key_condition;
	PreparedExpression *filter; /* NULL: none */
	PreparedExpression *projection;
	StorageRange range;
	AttributeValue start[INDEX_MAX_COLUMNS];
	const SecondaryIndex *filter_view;	/* not NULL: the filter sees only what this projects */
	const SecondaryIndex *result_view;	/* the same for what is returned */
	bool		fetches;		/* returns what the index lacks */
	bool		is_unique;		/* the range holds one item at most */
	bool		is_done;		/* this page has ended */
	StorageScan *scan;
	RowSource  *row;			/* the scan's current row, NULL before the first */
	Capacity   *capacity;		/* not NULL: singletable.track_capacity was on at the start */
	uint64		page_bytes;		/* evaluated of the page that is being counted, and the half units counted of it */
	uint64		page_halves;
	MemoryContext row_context;
} QueryPrivate;

static inline const PromotedAttribute *
get_column(const TableDescriptor *table, const ReadKey *key, int position)
{
	return &table->attributes[key->columns[position]];
}

/*
 * OperationCheckQueryArguments
 *		What needs neither the placeholders' contents nor the table.
 *
 * Errors	KV001
 * Source	reference/query-and-scan, section 3, steps 3, 6 and 7
 */
void
OperationCheckQueryArguments(QueryRequest *request)
{
	if (request->placeholders.has_names && request->key_condition.data == NULL &&
		request->filter.data == NULL && request->projection.data == NULL)
		validation_error("ExpressionAttributeNames can only be specified when using expressions");
	if (request->placeholders.has_values && request->key_condition.data == NULL && request->filter.data == NULL)
		validation_error("ExpressionAttributeValues can only be specified when using expressions: %s",
						 request->is_scan ? "FilterExpression is null" :
						 "FilterExpression and KeyConditionExpression are null");
	if (request->total_segments > 0 && request->segment >= request->total_segments)
		validation_error("The Segment parameter is zero-based and must be less than parameter TotalSegments: "
						 "Segment: %d is not less than TotalSegments: %d", request->segment, request->total_segments);
	if (!request->is_scan && request->key_condition.data == NULL && request->key_condition.prepared == NULL)
		validation_error("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
	request->arguments_checked = true;
}

/* Step 8. */
static void
prepare_expressions(QueryPrivate *private)
{
	QueryRequest *request = private->request;

	if (!request->is_scan)
		private->key_condition = RequestPrepareExpression(EXPRESSION_KEY_CONDITION, &request->key_condition, &request->placeholders);
	private->filter = RequestPrepareExpression(EXPRESSION_FILTER, &request->filter, &request->placeholders);
	private->projection = RequestPrepareExpression(EXPRESSION_PROJECTION, &request->projection, &request->placeholders);
	PlaceholdersCheckUnused(&request->placeholders);
}

/* Step 9: Select against the other members. */
static void
check_select(const QueryRequest *request)
{
	bool		has_projection = request->projection.data != NULL || request->projection.prepared != NULL;

	switch (request->select)
	{
		case SELECT_DEFAULT:
			break;
		case SELECT_ALL_ATTRIBUTES:
			if (has_projection)
				validation_error("Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES");
			break;
		case SELECT_ALL_PROJECTED_ATTRIBUTES:
			if (has_projection)
				validation_error("Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES");
			if (request->index_name == NULL)
				validation_error("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
			break;
		case SELECT_SPECIFIC_ATTRIBUTES:
			if (!has_projection)
				validation_error("%sMust specify the AttributesToGet or ProjectionExpression when choosing to get "
								 "SPECIFIC_ATTRIBUTES", request->is_scan ? "" : "1 validation error detected: ");
			break;
		case SELECT_COUNT:
			if (has_projection)
				validation_error("Cannot specify the ProjectionExpression when choosing to get only the Count");
			break;
	}
}

/* Steps 11 and 12: what is read. */
static void
open_table(QueryState *state)
{
	QueryPrivate *private = state->private;
	QueryRequest *request = private->request;
	ReadKey    *key = &private->key;

	state->table = TableOpen(RequestResolveTable(request->relid, request->resolve_table, request->resolve_state), AccessShareLock);
	if (request->index_name == NULL)
	{
		key->partition_count = 1;
		key->key_count = key->column_count = state->table->key_count;
		key->columns = state->table->keys;
		return;
	}

	state->index = TableFindIndex(state->table, request->index_name, request->index_name_length);
	if (state->index == NULL)
		validation_error("The table does not have the specified index: %s",
						 pnstrdup(request->index_name, request->index_name_length));
	if (!state->index->is_valid)
		validation_error("Cannot read from backfilling global secondary index: %s", state->index->name);
	if (request->is_consistent && !state->index->is_local)
		validation_error("Consistent reads are not supported on global secondary indexes");
	key->partition_count = state->index->partition_count;
	key->key_count = state->index->partition_count + state->index->sort_count;
	key->column_count = state->index->key_count;
	key->columns = state->index->keys;
}

/* A value of a condition or a start key stands for a key: it may not be empty. */
static void
check_not_empty(const PromotedAttribute *attribute, const AttributeValue *value)
{
	if (value->length == 0 && (value->type == ATTRIBUTE_S || value->type == ATTRIBUTE_B))
		validation_error("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
						 "an empty %s value. Key: %s",
						 value->type == ATTRIBUTE_S ? "string" : "binary", attribute->name);
}

/* Step 13, first half: the number of attributes in the start key.  The columns of an index include the table's key. */
static void
check_start_count(const QueryState *state, const AttributeContainer *start)
{
	if (start->count == state->private->key.column_count)
		return;
	if (state->private->request->is_scan && state->index == NULL)
		validation_error("The provided starting key is invalid: " MESSAGE_KEY_SCHEMA);
	validation_error("The provided starting key is invalid");
}

/* Step 13, second half, for one key attribute of what is read. */
static void
check_start_attribute(const QueryState *state, const AttributeContainer *start, const PromotedAttribute *attribute)
{
	AttributeValue value;

	if (!AttributeMapFind(start, attribute->name, attribute->name_length, &value))
	{
		if (state->private->request->is_scan && state->index == NULL)
			validation_error("The provided starting key is invalid: " MESSAGE_KEY_SCHEMA);
		validation_error("The provided starting key is invalid");
	}
	if (value.type != attribute->type)
		validation_error(MESSAGE_KEY_SCHEMA);
	check_not_empty(attribute, &value);
}

/* Step 15, first half: the table's key in the start key.  Fills the position. */
static void
read_start_position(QueryState *state, const AttributeContainer *start)
{
	QueryPrivate *private = state->private;

	for (int i = 0; i < state->table->key_count; i++)
	{
		const PromotedAttribute *attribute = TableKeyAttribute(state->table, i);
		AttributeValue value;

		if (!AttributeMapFind(start, attribute->name, attribute->name_length, &value) || value.type != attribute->type)
			validation_error("The provided starting key is invalid: " MESSAGE_KEY_SCHEMA);
		check_not_empty(attribute, &value);
	}
	for (int i = 0; i < private->key.column_count; i++)
	{
		const PromotedAttribute *attribute = get_column(state->table, &private->key, i);

		if (!AttributeMapFind(start, attribute->name, attribute->name_length, &private->start[i]))
			validation_error("The provided starting key is invalid");
	}
	private->range.start = private->start;
}

static const KeyCondition *
find_condition(const KeyCondition *conditions, uint32 count, const PromotedAttribute *attribute)
{
	for (uint32 i = 0; i < count; i++)
		if (conditions[i].name_length == attribute->name_length &&
			memcmp(conditions[i].name, attribute->name, attribute->name_length) == 0)
			return &conditions[i];
	return NULL;
}

/* Step 14 for one key attribute; a condition with = binds a column, another one makes the range. */
static void
bind_condition(QueryState *state, const KeyCondition *condition, int position)
{
	QueryPrivate *private = state->private;
	StorageRange *range = &private->range;
	const PromotedAttribute *attribute = get_column(state->table, &private->key, position);
	bool		is_partition_key = position < private->key.partition_count;
	bool		is_mistyped = condition->value.type != attribute->type ||
	(condition->op == KEY_BETWEEN && condition->upper.type != attribute->type);

	if (condition->op == KEY_NOT_INDEXABLE)
		validation_error("Attempted conditional constraint is not an indexable operation");
	/* Only the last condition may be another than =; KeyConditions, which come prepared, have their types looked at first. */
	if (((is_partition_key && condition->op != KEY_EQUAL) || range->equal_count != position) &&
		!(is_mistyped && private->request->key_condition.prepared != NULL))
		validation_error("Query key condition not supported");
	if (is_mistyped)
		validation_error("One or more parameter values were invalid: Condition parameter type does not match schema type");
	check_not_empty(attribute, &condition->value);
	if (condition->op == KEY_BETWEEN)
		check_not_empty(attribute, &condition->upper);

	switch (condition->op)
	{
		case KEY_EQUAL:
			range->equal[range->equal_count++] = condition->value;
			break;
		case KEY_LESS:
		case KEY_LESS_OR_EQUAL:
			range->upper = &condition->value;
			range->upper_inclusive = condition->op == KEY_LESS_OR_EQUAL;
			break;
		case KEY_GREATER:
		case KEY_GREATER_OR_EQUAL:
			range->lower = &condition->value;
			range->lower_inclusive = condition->op == KEY_GREATER_OR_EQUAL;
			break;
		case KEY_BETWEEN:
			range->lower = &condition->value;
			range->upper = &condition->upper;
			range->lower_inclusive = range->upper_inclusive = true;
			break;
		case KEY_BEGINS_WITH:
			range->prefix = &condition->value;
			break;
		case KEY_NOT_INDEXABLE:
			break;
	}
}

/*
 * Steps 13 and 14, key attribute by key attribute: the start key's value is looked at before the condition.
 * Source	reference/expressions, section 7, rows 10 to 13
 */
static void
bind_key_attributes(QueryState *state, const AttributeContainer *start)
{
	QueryPrivate *private = state->private;
	const ReadKey *key = &private->key;
	uint32		count = 0;
	uint32		bound = 0;
	const KeyCondition *conditions = NULL;

	if (private->key_condition != NULL)
	{
		conditions = ExpressionKeyConditions(private->key_condition, &count);
		if (count > 2 && key->partition_count == 1 && key->key_count <= 2)
			validation_error("Conditions can be of length 1 or 2 only");
	}

	for (int i = 0; i < key->key_count; i++)
	{
		const PromotedAttribute *attribute = get_column(state->table, key, i);
		const KeyCondition *condition = find_condition(conditions, count, attribute);

		if (start != NULL)
			check_start_attribute(state, start, attribute);
		if (condition != NULL)
		{
			bind_condition(state, condition, i);
			bound++;
		}
		else if (conditions != NULL && (i < key->partition_count || bound < count))
			validation_error("Query condition missed key schema element: %s", attribute->name);
	}
	if (bound < count)
		validation_error("Query key condition not supported");
}

/* Does a value of the start key lie in the range that the condition on its column makes? */
static bool
range_contains(const StorageRange *range, const AttributeValue *value)
{
	if (range->prefix != NULL)
		return value->length >= range->prefix->length &&
			memcmp(value->data, range->prefix->data, range->prefix->length) == 0;
	if (range->lower != NULL)
	{
		int			order = AttributeValueCompare(value, range->lower);

		if (order < 0 || (order == 0 && !range->lower_inclusive))
			return false;
	}
	if (range->upper != NULL)
	{
		int			order = AttributeValueCompare(value, range->upper);

		if (order > 0 || (order == 0 && !range->upper_inclusive))
			return false;
	}
	return true;
}

/* A value as the service prints it in messages. */
static char *
print_value(const AttributeValue *value)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "{%s:", AttributeTypeName(value->type));
	if (value->type == ATTRIBUTE_N)
	{
		enlargeStringInfo(&text, ITEM_NUMBER_TEXT_MAX);
		text.len += ItemNumberToText(value->data, value->length, text.data + text.len);
	}
	else if (value->type == ATTRIBUTE_B)
	{
		StringInfoData json;

		/* base64 without its quotes */
		initStringInfo(&json);
		JsonWritePlainValue(&json, value);
		appendBinaryStringInfo(&text, json.data + 1, json.len - 2);
	}
	else
		appendBinaryStringInfo(&text, value->data, value->length);
	appendStringInfoChar(&text, '}');
	return text.data;
}

/*
 * Step 15, second half: a Query cannot start outside its own range.
 * Source	reference/query-and-scan, section 7
 */
static void
check_start_position(const QueryState *state)
{
	const QueryPrivate *private = state->private;
	const StorageRange *range = &private->range;
	const ReadKey *key = &private->key;
	bool		same_partition = true;
	bool		has_sort_condition = range->equal_count > key->partition_count ||
	range->lower != NULL || range->upper != NULL || range->prefix != NULL;

	for (int i = 0; i < key->partition_count; i++)
		same_partition = same_partition && AttributeValueEqual(&private->start[i], &range->equal[i]);

	if (!has_sort_condition)
	{
		if (!same_partition)
			validation_error("The provided starting key is outside query boundaries based on provided conditions");
		if (state->index == NULL && state->table->key_count == 1)
			validation_error("The provided exclusive start key is invalid: ExclusiveStartKey: {%s=AttributeValue: %s}",
							 TableKeyAttribute(state->table, 0)->name, print_value(&private->start[0]));
		return;
	}

	for (int i = key->partition_count; i < range->equal_count; i++)
		if (!AttributeValueEqual(&private->start[i], &range->equal[i]))
			validation_error("The provided starting key does not match the range key predicate");
	if (range->equal_count < key->key_count && !range_contains(range, &private->start[range->equal_count]))
		validation_error("The provided starting key does not match the range key predicate");
	if (!same_partition)
		validation_error("The query can return at most one row and cannot be restarted");
}

/* A Scan goes on in the segment it began in. */
static void
check_start_segment(const QueryState *state)
{
	const QueryPrivate *private = state->private;
	const QueryRequest *request = private->request;

	if (request->total_segments > 1 &&
		StorageSegmentHash(private->start, private->key.partition_count) % request->total_segments != request->segment)
		validation_error("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with "
						 "correct Segment. TotalSegments: %d Segment: %d", request->total_segments, request->segment);
}

/* A Query's filter names no key attribute of what is read. */
static void
check_filter_keys(const QueryState *state)
{
	const QueryPrivate *private = state->private;
	const DocumentPath *paths;
	uint32		count;

	paths = ExpressionPaths(private->filter, &count);
	for (int i = 0; i < private->key.key_count; i++)
	{
		const PromotedAttribute *attribute = get_column(state->table, &private->key, i);

		for (uint32 j = 0; j < count; j++)
			if (PathStartsAt(&paths[j], attribute))
				validation_error("%s can only contain non-primary key attributes: Primary key attribute: %s",
								 private->request->is_legacy_filter ? "QueryFilter" : "Filter Expression", attribute->name);
	}
}

/* Top-level names of an expression that an index does not project, joined by commas; NULL when it projects them all. */
static char *
list_unprojected(const QueryState *state, const PreparedExpression *expression)
{
	const DocumentPath *paths;
	uint32		count;
	StringInfoData names;

	initStringInfo(&names);
	paths = ExpressionPaths(expression, &count);
	for (uint32 i = 0; i < count; i++)
	{
		const PathStep *step = &paths[i].steps[0];
		bool		is_listed = false;

		if (IndexProjects(state->table, state->index, step->name, step->name_length))
			continue;
		for (uint32 j = 0; j < i && !is_listed; j++)
			is_listed = AttributeNameCompare(paths[j].steps[0].name, paths[j].steps[0].name_length,
											 step->name, step->name_length) == 0;
		if (is_listed)
			continue;
		if (names.len > 0)
			appendStringInfoString(&names, ", ");
		appendBinaryStringInfo(&names, step->name, step->name_length);
	}
	return names.len > 0 ? names.data : NULL;
}

/* Step 16: what projection and filter may name. */
static void
check_attributes(const QueryState *state)
{
	const QueryPrivate *private = state->private;
	const QueryRequest *request = private->request;
	const SecondaryIndex *index = state->index;
	const char *names;

	TableCheckPaths(state->table, private->projection);
	if (private->filter != NULL && !request->is_scan)
		check_filter_keys(state);
	if (index != NULL && !index->is_local && index->projection != PROJECTION_ALL && request->select == SELECT_ALL_ATTRIBUTES)
		validation_error("One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global "
						 "secondary index %s because its projection type is not ALL", index->name);
	TableCheckPaths(state->table, private->filter);
	if (index == NULL)
		return;
	if (private->projection != NULL && !index->is_local && (names = list_unprojected(state, private->projection)) != NULL)
		validation_error("One or more parameter values were invalid: Global secondary index %s does not project [%s]",
						 index->name, names);
	if (private->filter != NULL && !request->is_scan && (names = list_unprojected(state, private->filter)) != NULL)
		validation_error("One or more parameter values were invalid: Secondary index %s does not project one or more filter "
						 "attributes: [%s]", index->name, names);
}

/* What filter and result see of an index's rows. */
static void
set_views(QueryState *state)
{
	QueryPrivate *private = state->private;
	const QueryRequest *request = private->request;
	const SecondaryIndex *index = state->index;

	if (index == NULL || index->projection == PROJECTION_ALL)
		return;
	private->filter_view = private->result_view = index;
	/* A local index gives what it lacks from the table, when that is asked for. */
	if (index->is_local &&
		(request->select == SELECT_ALL_ATTRIBUTES ||
		 (private->projection != NULL && list_unprojected(state, private->projection) != NULL)))
	{
		private->result_view = NULL;
		private->fetches = true;
	}
	private->range.keys_only = index->projection == PROJECTION_KEYS_ONLY && !private->fetches;
}

/* Is there one item at most in the range?  Then the page that holds it is the last. */
static bool
range_is_unique(const QueryState *state)
{
	return state->index == NULL && state->private->range.equal_count == state->table->key_count;
}

/*
 * count_read
 *		Adds what one more row has cost, or with 0 bytes the page itself, to the session's total.
 *
 * Row by row, since nobody says when a set of rows is given up.  A page of DynamoDB's ends with the item that reaches 1 MB, also
 * where the caller reads on; it costs one block at least.
 */
static void
count_read(const QueryState *state, uint64 scanned_bytes, uint64 fetched_bytes)
{
	QueryPrivate *private = state->private;
	Capacity   *capacity = private->capacity;
	uint64	   *page = state->index == NULL ? &capacity->table_halves : &capacity->index_halves[state->index - state->table->indexes];

	capacity->table_halves = 0;
	*page = 0;
	private->page_bytes += scanned_bytes;
	CapacityAddPage(capacity, state->index, private->page_bytes, fetched_bytes, private->request->is_consistent);
	*page -= private->page_halves;
	private->page_halves += *page;
	SessionCapacityAdd(capacity, false);
	if (private->page_bytes >= PAGE_BYTES)
		private->page_bytes = private->page_halves = 0;
}

/*
 * OperationQueryBegin
 *		Checks a Query or Scan and opens it.
 *
 * Result	the state, in the current context; OperationQueryEnd closes it, as does the end of that context
 * Errors	KV001, KV003; 42501 without SELECT privilege
 */
QueryState *
OperationQueryBegin(QueryRequest *request)
{
	QueryState *state = palloc0(sizeof(QueryState));
	QueryPrivate *private = palloc0(sizeof(QueryPrivate));
	AttributeContainer start_map;
	const AttributeContainer *start = NULL;

	state->private = private;
	private->request = palloc(sizeof(QueryRequest));
	*private->request = *request;
	request = private->request;

	if (!request->arguments_checked)
		OperationCheckQueryArguments(request);
	prepare_expressions(private);
	check_select(request);
	open_table(state);
	if (request->start_key != NULL)
	{
		ItemOpen(request->start_key, &start_map);
		start = &start_map;
		check_start_count(state, start);
	}
	bind_key_attributes(state, start);
	if (start != NULL)
	{
		read_start_position(state, start);
		if (request->is_scan)
			check_start_segment(state);
		else
			check_start_position(state);
	}
	check_attributes(state);
	set_views(state);

	private->is_unique = range_is_unique(state);
	private->range.index = state->index;
	private->range.is_forward = !request->is_backward;
	private->range.segment = request->segment;
	private->range.total_segments = request->total_segments;
	private->row_context = AllocSetContextCreate(CurrentMemoryContext, "singletable query row", ALLOCSET_DEFAULT_SIZES);
	private->scan = StorageBeginScan(state->table, &private->range);
	if (singletable_track_capacity)
	{
		private->capacity = palloc(sizeof(Capacity));
		CapacityInit(private->capacity, state->table);
		request->measure_sizes = true;
		count_read(state, 0, 0);
	}
	return state;
}

/* Has the page ended with the row that was evaluated last? */
static bool
page_is_full(const QueryState *state)
{
	const QueryRequest *request = state->private->request;

	return (request->limit > 0 && state->scanned_count >= request->limit) ||
		(request->max_items != 0 && state->count >= request->max_items) ||
		(request->page_bytes > 0 && state->scanned_bytes >= request->page_bytes);
}

/* Shows the row through an index's projection, or whole. */
static void
set_view(RowSource *row, const SecondaryIndex *view)
{
	if (row->visible_index != view)
	{
		row->visible_index = view;
		row->item = NULL;		/* composed of the other view */
	}
}

/*
 * OperationQueryNext
 *		The next item of the page that passes the filter, projected; with Select COUNT an empty item.
 *
 * Result	palloc'd in the current context; NULL at the end of the page
 */
SingletableItem *
OperationQueryNext(QueryState *state)
{
	QueryPrivate *private = state->private;
	const QueryRequest *request = private->request;
	MemoryContext result_context = CurrentMemoryContext;
	SingletableItem *result = NULL;

	while (!private->is_done && result == NULL)
	{
		RowSource  *row;
		uint64		scanned_bytes = state->scanned_bytes;
		uint64		fetched_bytes = state->fetched_bytes;

		CHECK_FOR_INTERRUPTS();
		if (page_is_full(state))
		{
			private->is_done = true;
			state->is_at_end = private->is_unique && state->scanned_count > 0;
			break;
		}
		row = StorageNext(private->scan);
		if (row == NULL)
		{
			private->is_done = state->is_at_end = true;
			break;
		}
		private->row = row;
		state->scanned_count++;

		MemoryContextReset(private->row_context);
		MemoryContextSwitchTo(private->row_context);
		set_view(row, private->filter_view);
		if (request->measure_sizes || request->page_bytes > 0)
			state->scanned_bytes += ItemSize(RowSourceItem(row));
		if (private->filter == NULL || ExpressionMatches(private->filter, &row->source))
		{
			state->count++;
			set_view(row, private->result_view);
			MemoryContextSwitchTo(result_context);
			if (request->select == SELECT_COUNT)
				result = ItemEmpty();
			else if (private->projection != NULL)
				result = ExpressionProject(private->projection, &row->source);
			else
				result = ItemCopy(RowSourceItem(row));
		}
		if (private->fetches && (request->measure_sizes || request->page_bytes > 0))
		{
			MemoryContextSwitchTo(private->row_context);
			set_view(row, NULL);
			state->fetched_bytes += TYPEALIGN64(READ_UNIT, ItemSize(RowSourceItem(row)));
		}
		if (private->capacity != NULL)
			count_read(state, state->scanned_bytes - scanned_bytes, state->fetched_bytes - fetched_bytes);
		MemoryContextSwitchTo(result_context);
	}
	return result;
}

/*
 * OperationQueryLastKey
 *		The key of the item that was evaluated last: where the next page starts.
 *
 * Result	palloc'd in the current context; NULL when the range was read to its end, or nothing was read
 */
SingletableItem *
OperationQueryLastKey(QueryState *state)
{
	QueryPrivate *private = state->private;
	Attribute	attributes[INDEX_MAX_COLUMNS];
	AttributeValue position[INDEX_MAX_COLUMNS];
	int			count = 0;

	if (state->is_at_end || private->row == NULL)
		return NULL;
	StorageScanPosition(private->scan, position);
	for (int i = 0; i < private->key.column_count; i++)
	{
		const PromotedAttribute *attribute = get_column(state->table, &private->key, i);

		attributes[count].name = attribute->name;
		attributes[count].name_length = attribute->name_length;
		attributes[count].value = position[i];
		count++;
	}
	return ItemFromAttributes(attributes, AttributesSort(attributes, count));
}

void
OperationQueryEnd(QueryState *state)
{
	QueryPrivate *private = state->private;

	private->is_done = true;
	if (private->scan != NULL)
		StorageEndScan(private->scan);
	private->scan = NULL;
}
