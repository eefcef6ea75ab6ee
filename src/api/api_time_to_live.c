/*
 * src/api/api_time_to_live.c
 *		UpdateTimeToLive and DescribeTimeToLive.  What deletes the items is operation/expire.c.
 *
 * Source: reference/tables-and-indexes, section 11.
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "api/api_table.h"

/* Least time between two changes, as the service has it, in microseconds. */
#define CHANGE_INTERVAL (30 * USECS_PER_MINUTE)

static void
check_content(const TableSettings *settings, const ApiTimeToLive *requested)
{
	const char *current = settings->ttl_attribute;

	if (strlen(requested->attribute_name.data) != requested->attribute_name.length)
		validation_error(MESSAGE_PARAMETERS "AttributeName must not contain U+0000");
	if (current == NULL && !requested->enabled.value)
		validation_error("TimeToLive is already disabled");
	if (current != NULL && strcmp(current, requested->attribute_name.data) != 0)
		validation_error("TimeToLive is active on a different AttributeName: current AttributeName is %s", current);
	if (current != NULL && requested->enabled.value)
		validation_error("TimeToLive is already enabled");
	if (settings->ttl_changed != 0 && GetCurrentTimestamp() - settings->ttl_changed < CHANGE_INTERVAL)
		validation_error("Time to live has been modified multiple times within a fixed interval");
}

void
ApiUpdateTimeToLive(ApiRequest *request, StringInfo response)
{
	ApiTableRequest *bound = request->bound;
	const ApiTimeToLive *requested = &bound->time_to_live;
	ApiConstraints constraints = {0};
	TableSettings *settings;

	ApiTableNameFromArn(&bound->table_name);
	ApiCheckControlTableName(&bound->table_name, LENGTH_OLD);
	ApiCheckNotNull(&constraints, requested->is_present, "timeToLiveSpecification");
	if (requested->is_present)
	{
		ApiCheckNotNull(&constraints, requested->attribute_name.data != NULL, "timeToLiveSpecification.attributeName");
		ApiCheckLength(&constraints, &requested->attribute_name, "timeToLiveSpecification.attributeName", 1, 255);
		ApiCheckNotNull(&constraints, requested->enabled.is_present, "timeToLiveSpecification.enabled");
	}
	ApiConstraintsRaise(&constraints);

	settings = ApiLockSettings(ApiControlTable(request, &bound->table_name, ACCESS_CHANGE), bound->table_name.data);
	check_content(settings, requested);
	settings->ttl_attribute = requested->enabled.value ? unconstify(char *, requested->attribute_name.data) : NULL;
	settings->ttl_changed = GetCurrentTimestamp();
	TableSettingsWrite(settings);

	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "TimeToLiveSpecification");
	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "Enabled");
	appendStringInfoString(response, requested->enabled.value ? "true" : "false");
	ApiWriteMember(response, "AttributeName");
	ApiWriteText(response, requested->attribute_name.data);
	appendStringInfoString(response, "}}");
}

void
ApiDescribeTimeToLive(ApiRequest *request, StringInfo response)
{
	ApiTableRequest *bound = request->bound;
	TableSettings *settings;

	ApiTableNameFromArn(&bound->table_name);
	ApiCheckControlTableName(&bound->table_name, LENGTH_OLD);
	settings = TableSettingsRead(ApiControlTable(request, &bound->table_name, ACCESS_DESCRIBE));

	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "TimeToLiveDescription");
	appendStringInfoChar(response, '{');
	ApiWriteMember(response, "TimeToLiveStatus");
	ApiWriteText(response, settings->ttl_attribute ? "ENABLED" : "DISABLED");
	if (settings->ttl_attribute != NULL)
	{
		ApiWriteMember(response, "AttributeName");
		ApiWriteText(response, settings->ttl_attribute);
	}
	appendStringInfoString(response, "}}");
}
