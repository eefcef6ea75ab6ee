/*
 * src/api/api_query.c
 *		Query and Scan.
 *
 * Source: reference/query-and-scan, whose section 3 is the order of the checks here.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "api/api_request.h"

#define PAGE_BYTES (1024 * 1024)	/* of items evaluated on one page */
#define INDEX_NAME_MIN 3		/* characters */
#define INDEX_NAME_MAX 255
#define SEGMENT_MAX 999999
#define TOTAL_SEGMENTS_MAX 1000000

typedef struct QueryBody
{
	bool		is_present;
	ApiString	table_name;
	ApiString	index_name;
	ApiString	key_condition;
	ApiString	filter;
	ApiString	projection;
	ApiMap		names;			/* of ApiString */
	ApiMap		values;			/* of ApiValue */
	ApiString	select;
	ApiInteger	limit;
	ApiItem		start_key;
	ApiBoolean	consistent_read;
	ApiBoolean	forward;
	ApiInteger	segment;
	ApiInteger	total_segments;
	ApiString	return_consumed_capacity;
	/* legacy */
	ApiMap		key_conditions; /* of ApiCondition */
	ApiMap		legacy_filter;	/* QueryFilter or ScanFilter, of ApiCondition */
	ApiString	conditional_operator;
	ApiList		attributes_to_get;	/* of ApiString */
} QueryBody;

#define READ_MEMBERS \
	API_MEMBER(QueryBody, table_name, "TableName", ApiStringType), \
	API_MEMBER(QueryBody, index_name, "IndexName", ApiStringType), \
	API_MEMBER(QueryBody, filter, "FilterExpression", ApiStringType), \
	API_MEMBER(QueryBody, projection, "ProjectionExpression", ApiStringType), \
	API_MEMBER(QueryBody, names, "ExpressionAttributeNames", ApiStringMapType), \
	API_MEMBER(QueryBody, values, "ExpressionAttributeValues", ApiValueMapType), \
	API_MEMBER(QueryBody, select, "Select", ApiStringType), \
	API_MEMBER(QueryBody, limit, "Limit", ApiIntegerType), \
	API_MEMBER(QueryBody, start_key, "ExclusiveStartKey", ApiItemType), \
	API_MEMBER(QueryBody, consistent_read, "ConsistentRead", ApiBooleanType), \
	API_MEMBER(QueryBody, return_consumed_capacity, "ReturnConsumedCapacity", ApiStringType), \
	API_MEMBER(QueryBody, conditional_operator, "ConditionalOperator", ApiStringType), \
	API_MEMBER(QueryBody, attributes_to_get, "AttributesToGet", ApiStringListType)

static const ApiMember query_members[] = {
	READ_MEMBERS,
	API_MEMBER(QueryBody, key_condition, "KeyConditionExpression", ApiStringType),
	API_MEMBER(QueryBody, forward, "ScanIndexForward", ApiBooleanType),
	API_MEMBER(QueryBody, key_conditions, "KeyConditions", ApiConditionMapType),
	API_MEMBER(QueryBody, legacy_filter, "QueryFilter", ApiConditionMapType),
};
const ApiType ApiQueryType = API_STRUCTURE_TYPE("QueryInput", QueryBody, query_members);

static const ApiMember scan_members[] = {
	READ_MEMBERS,
	API_MEMBER(QueryBody, segment, "Segment", ApiIntegerType),
	API_MEMBER(QueryBody, total_segments, "TotalSegments", ApiIntegerType),
	API_MEMBER(QueryBody, legacy_filter, "ScanFilter", ApiConditionMapType),
};
const ApiType ApiScanType = API_STRUCTURE_TYPE("ScanInput", QueryBody, scan_members);

/* Steps 1 and 2. */
static void
check_members(QueryBody *body, QueryRequest *request, ApiCapacityDetail *capacity)
{
	ApiConstraints constraints = {0};

	ApiTableNameCheck(&body->table_name);

	/* The positions of API_SET_SELECT. */
	switch (ApiCheckEnum(&constraints, &body->select, "select", API_SET_SELECT))
	{
		case 0:
			request->select = SELECT_SPECIFIC_ATTRIBUTES;
			break;
		case 1:
			request->select = SELECT_COUNT;
			break;
		case 2:
			request->select = SELECT_ALL_ATTRIBUTES;
			break;
		case 3:
			request->select = SELECT_ALL_PROJECTED_ATTRIBUTES;
			break;
		default:
			request->select = SELECT_DEFAULT;
			break;
	}
	ApiCheckPattern(&constraints, &body->index_name, "indexName");
	ApiCheckLength(&constraints, &body->index_name, "indexName", INDEX_NAME_MIN, INDEX_NAME_MAX);
	ApiCheckMinimum(&constraints, &body->total_segments, "totalSegments", 1);
	ApiCheckMaximum(&constraints, &body->total_segments, "totalSegments", TOTAL_SEGMENTS_MAX);
	*capacity = ApiCheckCapacityDetail(&constraints, &body->return_consumed_capacity);
	if (!request->is_scan)
		ApiCheckConditionMap(&constraints, &body->legacy_filter, "queryFilter", false);
	ApiCheckEnum(&constraints, &body->conditional_operator, "conditionalOperator", API_SET_CONDITIONAL_OPERATOR);
	if (request->is_scan)
	{
		ApiCheckConditionMap(&constraints, &body->legacy_filter, "scanFilter", false);
		ApiCheckMinimum(&constraints, &body->segment, "segment", 0);
		ApiCheckMaximum(&constraints, &body->segment, "segment", SEGMENT_MAX);
		ApiCheckMinimum(&constraints, &body->limit, "limit", 1);
		ApiCheckAttributesToGet(&constraints, &body->attributes_to_get, "attributesToGet");
	}
	else
	{
		ApiCheckAttributesToGet(&constraints, &body->attributes_to_get, "attributesToGet");
		/* The service's own form, for Query alone. */
		if (body->limit.is_present && body->limit.value < 1)
			ApiConstraintFailText(&constraints, "Value at 'Limit' failed to satisfy constraint: "
								  "Member must have value greater than or equal to 1");
		ApiCheckConditionMap(&constraints, &body->key_conditions, "keyConditions", false);
	}
	ApiConstraintsRaise(&constraints);
}

/* Step 3, first half.  KeyConditions goes with other expressions, and counts only beside KeyConditionExpression. */
static void
check_mixing(const QueryBody *body, bool is_scan)
{
	bool		has_key_condition = body->key_condition.data != NULL;

	ApiCheckMixing((ApiMemberPresence[]) {{"AttributesToGet", body->attributes_to_get.is_present},
										  {is_scan ? "ScanFilter" : "QueryFilter", body->legacy_filter.is_present},
										  {"ConditionalOperator", body->conditional_operator.data != NULL},
										  {"KeyConditions", body->key_conditions.is_present && has_key_condition}}, 4,
				   (ApiMemberPresence[]) {{"ProjectionExpression", body->projection.data != NULL},
										  {"FilterExpression", body->filter.data != NULL},
										  {"KeyConditionExpression", has_key_condition}}, 3);
}

/*
 * check_start_key
 *		Step 5.  Some texts come with a prefix, others without: reference/query-and-scan, section 7.
 */
static void
check_start_key(const ApiItem *start_key)
{
	static const char *const wrapped[] = {
		"Supplied AttributeValue",
		"One or more parameter values were invalid: Null attribute",
		"One or more parameter values were invalid: An string set",
		"One or more parameter values were invalid: Binary sets"
	};

	if (start_key->invalid == NULL)
		return;
	for (int i = 0; i < lengthof(wrapped); i++)
		if (strncmp(start_key->invalid, wrapped[i], strlen(wrapped[i])) == 0)
			validation_error("The provided starting key is invalid: %s", start_key->invalid);
	ApiItemCheck(start_key);
}

/* Step 6, first half. */
static void
check_segments(const QueryBody *body)
{
	if (body->segment.is_present && !body->total_segments.is_present)
		validation_error("The TotalSegments parameter is required but was not present in the request when Segment parameter is present");
	if (body->total_segments.is_present && !body->segment.is_present)
		validation_error("The Segment parameter is required but was not present in the request when parameter TotalSegments is present");
}

/* Select beside AttributesToGet; beside ProjectionExpression it is the operations layer's. */
static void
check_select(const QueryBody *body, const QueryRequest *request)
{
	if (!body->attributes_to_get.is_present)
		return;
	if (request->select == SELECT_COUNT)
		validation_error("Cannot specify the AttributesToGet when choosing to get only the Count");
	if (request->select == SELECT_ALL_ATTRIBUTES || request->select == SELECT_ALL_PROJECTED_ATTRIBUTES)
		validation_error("Cannot specify the AttributesToGet when choosing to get %s", body->select.data);
}

/*
 * read_page
 *		Run the request and write its page.
 */
static void
read_page(QueryRequest *request, const QueryBody *body, ApiCapacityDetail capacity_detail, StringInfo response)
{
	QueryState *state = OperationQueryBegin(request);
	MemoryContext item_context = AllocSetContextCreate(CurrentMemoryContext, "item of a page", ALLOCSET_DEFAULT_SIZES);
	MemoryContext oldcontext = MemoryContextSwitchTo(item_context);
	SingletableItem *item;
	SingletableItem *last_key;
	bool		counts_only = request->select == SELECT_COUNT;

	appendStringInfoChar(response, '{');
	if (!counts_only)
	{
		ApiWriteMember(response, "Items");
		appendStringInfoChar(response, '[');
	}
	while ((item = OperationQueryNext(state)) != NULL)
	{
		if (!counts_only)
		{
			ApiWriteElement(response);
			ApiWriteItem(response, item);
		}
		MemoryContextReset(item_context);
	}
	if (!counts_only)
		appendStringInfoChar(response, ']');
	MemoryContextSwitchTo(oldcontext);
	MemoryContextDelete(item_context);

	ApiWriteMember(response, "Count");
	appendStringInfo(response, INT64_FORMAT, state->count);
	ApiWriteMember(response, "ScannedCount");
	appendStringInfo(response, INT64_FORMAT, state->scanned_count);
	last_key = OperationQueryLastKey(state);
	if (last_key != NULL)
	{
		ApiWriteMember(response, "LastEvaluatedKey");
		ApiWriteItem(response, last_key);
	}
	if (capacity_detail != API_CAPACITY_NONE)
	{
		Capacity	capacity;

		CapacityInit(&capacity, state->table);
		CapacityAddPage(&capacity, state->index, state->scanned_bytes, state->fetched_bytes, body->consistent_read.value);
		ApiWriteMember(response, "ConsumedCapacity");
		ApiWriteCapacity(response, &capacity, body->table_name.data, capacity_detail, API_CAPACITY_PLAIN);
	}
	appendStringInfoChar(response, '}');
	OperationQueryEnd(state);
}

static void
run_query(ApiRequest *request, StringInfo response, bool is_scan)
{
	QueryBody  *body = request->bound;
	QueryRequest query = {0};
	ApiCapacityDetail capacity;
	ApiTable	table;

	query.is_scan = is_scan;
	check_members(body, &query, &capacity);
	check_mixing(body, is_scan);

	ApiUseTable(request, &body->table_name, &table);
	query.resolve_table = ApiTableResolve;
	query.resolve_state = &table;
	query.index_name = body->index_name.data;
	query.index_name_length = body->index_name.length;
	ApiSetText(&query.key_condition, &body->key_condition);
	ApiSetText(&query.filter, &body->filter);
	ApiSetText(&query.projection, &body->projection);
	ApiSetPlaceholders(&query.placeholders, &body->names, &body->values);
	query.is_backward = body->forward.is_present && !body->forward.value;
	query.is_consistent = body->consistent_read.value;
	query.segment = body->segment.value;
	query.total_segments = body->total_segments.value;
	query.limit = body->limit.value;
	query.page_bytes = PAGE_BYTES;
	query.start_key = body->start_key.item;
	query.measure_sizes = capacity != API_CAPACITY_NONE;
	query.is_legacy_filter = body->legacy_filter.count > 0;

	ApiLegacyProjection(&body->attributes_to_get, &query.projection);
	ApiLegacyKeyConditions(&body->key_conditions, &query.key_condition);
	ApiLegacyFilter(&body->legacy_filter, &body->conditional_operator, &query.filter);
	check_start_key(&body->start_key);
	check_segments(body);
	OperationCheckQueryArguments(&query);
	ApiCheckPlaceholders(&query.placeholders, &body->values);
	check_select(body, &query);
	read_page(&query, body, capacity, response);
}

void
ApiQuery(ApiRequest *request, StringInfo response)
{
	run_query(request, response, false);
}

void
ApiScan(ApiRequest *request, StringInfo response)
{
	run_query(request, response, true);
}
