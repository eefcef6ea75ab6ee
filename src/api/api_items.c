/*
 * src/api/api_items.c
 *		GetItem, PutItem, UpdateItem, DeleteItem.
 */
#include "postgres.h"

#include "api/api_internal.h"

typedef struct GetItemRequest
{
	bool		is_present;
} GetItemRequest;

const ApiType ApiGetItemType = {.kind = API_STRUCTURE, .java_name = "GetItemInput", .size = sizeof(GetItemRequest)};

void
ApiGetItem(ApiRequest *request, StringInfo response)
{
	ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("GetItem is not built yet")));
}
