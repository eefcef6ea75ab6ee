/*
 * src/api/api_internal.h
 *		What the operations of the JSON API share: dispatch, binding of requests, constraint errors, table names, response writing.
 *
 * An operation is a row of the table in api.c: its name, the type of its request, its handler.  ApiExecute parses the text once,
 * straight into the C struct that the type describes (ApiRequest.bound), and calls the handler, which checks constraints, acts,
 * and writes the response.  To add an operation:
 *
 *	1. a struct for the request, whose first member is `bool is_present`, made of the Api* member types below;
 *	2. its ApiType with API_STRUCTURE_TYPE and API_MEMBER;
 *	3. a handler `void ApiXyz(ApiRequest *request, StringInfo response)`;
 *	4. one line in API_OPERATIONS below.
 */
#ifndef SINGLETABLE_API_INTERNAL_H
#define SINGLETABLE_API_INTERNAL_H

#include "api/api.h"
#include "base/error.h"
#include "item/item.h"
#include "item/json.h"

/* ---------------------------------------------------------------------------------------------------------------------
 * Bound members.  All zero means absent; JSON null is absent.  Everything lives in the context of the request.
 */

typedef struct ApiString
{
	const char *data;			/* UTF-8, NUL-terminated beside its length; NULL when absent */
	uint32		length;
} ApiString;

typedef struct ApiBoolean
{
	bool		is_present;
	bool		value;
} ApiBoolean;

/* Integer and Long: fractions are cut, numbers beyond the type's range are its nearest bound. */
typedef struct ApiInteger
{
	bool		is_present;
	int64		value;
} ApiInteger;

/*
 * A map of typed values, and one typed value.  A wrong value (KV001) is no error yet, since the service looks at values after
 * names and constraints: its text is kept here, and raised by ApiItemCheck and ApiValueCheck.  Only nesting that is too deep is
 * raised at once.
 */
typedef struct ApiItem
{
	bool		is_present;
	SingletableItem *item;		/* NULL if invalid */
	const char *invalid;		/* NULL if it is well-formed */
} ApiItem;

typedef struct ApiValue
{
	bool		is_present;
	AttributeValue value;		/* meaningless if invalid */
	const char *invalid;
} ApiValue;

/* elements is an array of the C type of the element. */
typedef struct ApiList
{
	bool		is_present;
	int			count;
	void	   *elements;
} ApiList;

#define ApiListElement(list, type, position) (((type *) (list)->elements) + (position))

/* Entries in the order of the text; of equal keys the last stays.  Entries that are null are absent. */
typedef struct ApiMap
{
	bool		is_present;
	int			count;
	ApiString  *keys;
	void	   *values;
} ApiMap;

#define ApiMapValue(map, type, position) (((type *) (map)->values) + (position))

/* ---------------------------------------------------------------------------------------------------------------------
 * Types of members
 */

typedef enum ApiKind
{
	API_STRING,					/* ApiString */
	API_BOOLEAN,				/* ApiBoolean */
	API_INTEGER,				/* ApiInteger, 32 bits */
	API_LONG,					/* ApiInteger, 64 bits */
	API_BLOB,					/* only inside typed values, which the item layer reads */
	API_VALUE,					/* ApiValue */
	API_ITEM,					/* ApiItem */
	API_LIST,					/* ApiList of element */
	API_MAP,					/* ApiMap of element */
	API_STRUCTURE				/* a struct of size bytes that begins with bool is_present */
} ApiKind;

typedef struct ApiType ApiType;

typedef struct ApiMember
{
	const char *name;			/* in the JSON object */
	uint32		name_length;
	size_t		offset;			/* in the struct */
	const ApiType *type;
} ApiMember;

struct ApiType
{
	ApiKind		kind;
	const char *java_name;		/* as SerializationException prints it: "java.lang.String", or a structure's bare name */
	size_t		size;			/* bytes of the C type */
	const ApiType *element;		/* LIST, MAP */
	int			member_count;	/* STRUCTURE */
	const ApiMember *members;
};

/* A row of a structure's members: struct, C member, JSON name, type. */
#define API_MEMBER(structure, field, json_name, member_type) \
	{json_name, sizeof(json_name) - 1, offsetof(structure, field), &(member_type)}
#define API_STRUCTURE_TYPE(name, structure, member_array) \
	{.kind = API_STRUCTURE, .java_name = name, .size = sizeof(structure), .member_count = lengthof(member_array), .members = member_array}
#define API_LIST_TYPE(element_type) {.kind = API_LIST, .size = sizeof(ApiList), .element = &(element_type)}
#define API_MAP_TYPE(element_type) {.kind = API_MAP, .size = sizeof(ApiMap), .element = &(element_type)}

extern const ApiType ApiStringType;
extern const ApiType ApiBooleanType;
extern const ApiType ApiIntegerType;
extern const ApiType ApiLongType;
extern const ApiType ApiValueType;	/* a typed value as a member or element */
extern const ApiType ApiItemType;
extern const ApiType ApiStringListType; /* ApiList of ApiString */
extern const ApiType ApiStringMapType;	/* ApiMap of ApiString */
extern const ApiType ApiValueListType;	/* ApiList of ApiValue */
extern const ApiType ApiValueMapType;	/* ApiMap of ApiValue: ExpressionAttributeValues */
extern const ApiType ApiItemListType;	/* ApiList of ApiItem: Keys */

/* ---------------------------------------------------------------------------------------------------------------------
 * Dispatch
 */

typedef struct ApiRequest
{
	const char *operation;		/* "GetItem" */
	void	   *bound;			/* the struct of the operation's type */
	const char *text;			/* the body */
	uint32		text_length;
	Oid			user;			/* who calls */
	const char *resource;		/* bare name of the table that was resolved last, for AccessDeniedException; NULL before */
} ApiRequest;

typedef void (*ApiHandler) (ApiRequest *request, StringInfo response);

/* Every operation: name, type of its request, handler; sorted by name (bytewise), since dispatch searches by halves. */
#define API_OPERATIONS(X) \
	X("BatchGetItem", ApiBatchGetItemType, ApiBatchGetItem) \
	X("BatchWriteItem", ApiBatchWriteItemType, ApiBatchWriteItem) \
	X("CreateTable", ApiCreateTableType, ApiCreateTable) \
	X("DeleteItem", ApiDeleteItemType, ApiDeleteItem) \
	X("DeleteTable", ApiTableNameType, ApiDeleteTable) \
	X("DescribeContinuousBackups", ApiTableNameType, ApiDescribeContinuousBackups) \
	X("DescribeEndpoints", ApiEmptyRequestType, ApiDescribeEndpoints) \
	X("DescribeLimits", ApiEmptyRequestType, ApiDescribeLimits) \
	X("DescribeTable", ApiTableNameType, ApiDescribeTable) \
	X("DescribeTimeToLive", ApiTableNameType, ApiDescribeTimeToLive) \
	X("GetItem", ApiGetItemType, ApiGetItem) \
	X("ListTables", ApiListTablesType, ApiListTables) \
	X("ListTagsOfResource", ApiTagRequestType, ApiListTagsOfResource) \
	X("PutItem", ApiPutItemType, ApiPutItem) \
	X("Query", ApiQueryType, ApiQuery) \
	X("Scan", ApiScanType, ApiScan) \
	X("TagResource", ApiTagRequestType, ApiTagResource) \
	X("TransactGetItems", ApiTransactGetItemsType, ApiTransactGetItems) \
	X("TransactWriteItems", ApiTransactWriteItemsType, ApiTransactWriteItems) \
	X("UntagResource", ApiTagRequestType, ApiUntagResource) \
	X("UpdateItem", ApiUpdateItemType, ApiUpdateItem) \
	X("UpdateTable", ApiUpdateTableType, ApiUpdateTable) \
	X("UpdateTimeToLive", ApiUpdateTimeToLiveType, ApiUpdateTimeToLive)

#define X(name, type, handler) \
	extern const ApiType type; \
	extern void handler(ApiRequest *request, StringInfo response);
API_OPERATIONS(X)
#undef X

/*
 * ApiBind (api_read.c)
 *		Parse a body into a struct of a type, palloc'd and zeroed.
 *
 * Errors	KV011: malformed JSON or no object first, then wrong kinds of JSON values, nested structures before scalar members
 */
extern void *ApiBind(const ApiType *type, const char *text, uint32 length);

/* The errors that ApiBind raises, without binding; type NULL: only that it is a JSON object. */
extern void ApiCheckBody(const ApiType *type, const char *text, uint32 length);

/* KV001 if the value is invalid; a value that is absent (null in a list) is an empty one.  Where the text is wrapped, use it itself. */
extern void ApiItemCheck(const ApiItem *item);
extern void ApiValueCheck(const ApiValue *value);

/* ---------------------------------------------------------------------------------------------------------------------
 * Constraints (api_constraint.c): collected in the order of the calls, at most ten listed, raised together.
 *
 * path is printed as it is given ('tableName', 'keySchema.1.member.keyType').
 */

typedef struct ApiConstraints
{
	int			count;
	StringInfoData text;		/* initialized by the first failure */
} ApiConstraints;

/* A failure in the general form: value is printed in quotes, or as null when its data is NULL. */
extern void ApiConstraintFail(ApiConstraints *constraints, const ApiString *value, const char *path, const char *constraint);
/* A whole entry in a form of its own. */
extern void ApiConstraintFailText(ApiConstraints *constraints, const char *text);
extern void ApiCheckNotNull(ApiConstraints *constraints, bool is_present, const char *path);
/* UTF-8 characters of a string that is present; maximum 0 = none. */
extern void ApiCheckLength(ApiConstraints *constraints, const ApiString *value, const char *path, int minimum, int maximum);
/* [a-zA-Z0-9_.-]+ */
extern bool ApiNameIsValid(const char *name, uint32 length);
extern void ApiCheckPattern(ApiConstraints *constraints, const ApiString *value, const char *path);
extern void ApiCheckMinimum(ApiConstraints *constraints, const ApiInteger *value, const char *path, int64 minimum);
extern void ApiCheckMaximum(ApiConstraints *constraints, const ApiInteger *value, const char *path, int64 maximum);
/*
 * The position of the value in set, which is the service's own printing: "[ALL_OLD, NONE]".  -1 when absent or (a failure is
 * noted) unknown.
 */
extern int	ApiCheckEnum(ApiConstraints *constraints, const ApiString *value, const char *path, const char *set);
/* Raises KV001 `N validation error[s] detected: ...` if any failure was noted. */
extern void ApiConstraintsRaise(ApiConstraints *constraints);

#define API_SET_RETURN_CONSUMED_CAPACITY "[INDEXES, TOTAL, NONE]"
#define API_SET_RETURN_ITEM_COLLECTION_METRICS "[SIZE, NONE]"
#define API_SET_RETURN_VALUES "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
#define API_SET_RETURN_VALUES_ON_FAILURE "[ALL_OLD, NONE]"
#define API_SET_SELECT "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"
#define API_SET_CONDITIONAL_OPERATOR "[OR, AND]"
#define API_SET_COMPARISON_OPERATOR \
	"[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"

/* ---------------------------------------------------------------------------------------------------------------------
 * Table names (api_name.c)
 *
 * The TableName of the API is the name of a relation that the session's search_path finds.  Names of more than 63 bytes, which no
 * relation can have, and tables whose relation has another name, are in the configuration table of the control plane:
 * ApiConfiguredTable and ApiConfiguredName (api_table.c).
 */

/*
 * ApiTableNameCheck
 *		What data operations demand of a TableName: raises its one error alone.  If it is a table's ARN, leaves its bare name.
 */
extern void ApiTableNameCheck(ApiString *name);
/* A table's ARN is replaced by the bare name (a view of it); anything else is left. */
extern void ApiTableNameFromArn(ApiString *name);
/* The relation, or InvalidOid.  Not locked; nothing is known of what kind of relation it is. */
extern Oid	ApiTableLookup(const char *name, uint32 length);
/* The API's name of a relation, palloc'd. */
extern char *ApiTableName(Oid relid);
/* arn:aws:dynamodb:<region>:<account>:table/<name> */
extern void ApiWriteTableArn(StringInfo out, const char *name);

/* For ItemRequest.resolve_table, with an ApiTable as its state: KV003 if there is no such relation. */
typedef struct ApiTable
{
	ApiRequest *request;
	const char *name;			/* bare, NUL-terminated */
	uint32		length;
} ApiTable;

extern Oid	ApiTableResolve(void *state);

/* ---------------------------------------------------------------------------------------------------------------------
 * Writing responses (api_write.c).  The response is one JSON object without white space beyond what JsonWriteItem makes.
 */

/* A member's name with its quotes and colon, and before it a comma unless it follows an opening bracket. */
extern void ApiWriteMember(StringInfo out, const char *name);
extern void ApiWriteMemberOf(StringInfo out, const char *name, uint32 length); /* any characters: escaped */
/* A comma unless at the start of a list. */
extern void ApiWriteElement(StringInfo out);
extern void ApiWriteText(StringInfo out, const char *text); /* a JSON string of a C string */
extern void ApiWriteItem(StringInfo out, const SingletableItem *item);

#endif							/* SINGLETABLE_API_INTERNAL_H */
