"""Operations on tables: create, wait, describe, list, change, tag, time to live, limits, delete."""

from sdk import check, check_equal, check_error, connect, create_table, run

client = connect()


def names_of(table, member):
    return sorted(index["IndexName"] for index in table.get(member, []))


def test_create_and_wait():
    created = create_table(client, "Shop", "pk:S sk:S",
                           indexes=[("by_status", "status:S at:N", "ALL"), ("inverted", "sk:S pk:S", "KEYS_ONLY")],
                           local_indexes=[("by_price", "pk:S price:N", "INCLUDE name tags")])
    check_equal(created["TableStatus"], "CREATING", "CreateTable answers CREATING")
    table = client.describe_table(TableName="Shop")["Table"]
    check_equal(table["TableStatus"], "ACTIVE", "the waiter ends when the table is ACTIVE")
    check_equal(table["KeySchema"], [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
                "DescribeTable shows the key schema")
    check_equal(sorted((a["AttributeName"], a["AttributeType"]) for a in table["AttributeDefinitions"]),
                [("at", "N"), ("pk", "S"), ("price", "N"), ("sk", "S"), ("status", "S")], "and the attribute definitions")
    check_equal(names_of(table, "GlobalSecondaryIndexes"), ["by_status", "inverted"], "and the global indexes")
    check_equal(names_of(table, "LocalSecondaryIndexes"), ["by_price"], "and the local indexes")
    local = table["LocalSecondaryIndexes"][0]["Projection"]
    check_equal((local["ProjectionType"], sorted(local["NonKeyAttributes"])), ("INCLUDE", ["name", "tags"]), "and their projections")
    check(hasattr(table["CreationDateTime"], "year"), "CreationDateTime is a time to the client")
    check_equal(table["TableArn"].split(":")[-1], "table/Shop", "the ARN ends with the table's name")
    check_equal(client.describe_table(TableName=table["TableArn"])["Table"]["TableId"], table["TableId"], "a table is found by its ARN")


def test_create_errors():
    check_error("ResourceInUseException", lambda: create_table(client, "Shop", "pk:S"), "CreateTable of a table that is there",
                "Table already exists: Shop", client.exceptions.ResourceInUseException)
    check_error("ValidationException", lambda: client.create_table(
        TableName="Wrong", KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "other", "AttributeType": "S"}]), "CreateTable without the key's definition")


def test_list():
    for number in range(7):
        create_table(client, f"List{number}", "pk:S")
    pages = list(client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 3}))
    found = [name for page in pages for name in page["TableNames"]]
    check_equal([name for name in found if name.startswith("List")], [f"List{number}" for number in range(7)],
                "the paginator of ListTables finds each table once, in order")
    check(len(pages) >= 3 and all(len(page["TableNames"]) <= 3 for page in pages), "in pages of at most three")
    check_equal(client.list_tables(ExclusiveStartTableName="List4", Limit=2)["TableNames"], ["List5", "List6"],
                "ListTables goes on after a name")
    for number in range(7):
        client.delete_table(TableName=f"List{number}")


def test_update():
    client.update_table(TableName="Shop", AttributeDefinitions=[{"AttributeName": "email", "AttributeType": "S"}],
                        GlobalSecondaryIndexUpdates=[{"Create": {
                            "IndexName": "by_email", "KeySchema": [{"AttributeName": "email", "KeyType": "HASH"}],
                            "Projection": {"ProjectionType": "ALL"}}}])
    client.get_waiter("table_exists").wait(TableName="Shop", WaiterConfig={"Delay": 1, "MaxAttempts": 20})
    check_equal(names_of(client.describe_table(TableName="Shop")["Table"], "GlobalSecondaryIndexes"),
                ["by_email", "by_status", "inverted"], "UpdateTable creates an index")
    client.update_table(TableName="Shop", GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by_email"}}])
    check_equal(names_of(client.describe_table(TableName="Shop")["Table"], "GlobalSecondaryIndexes"), ["by_status", "inverted"],
                "UpdateTable deletes an index")
    client.update_table(TableName="Shop", BillingMode="PROVISIONED",
                        ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
                        GlobalSecondaryIndexUpdates=[{"Update": {
                            "IndexName": name, "ProvisionedThroughput": {"ReadCapacityUnits": 7, "WriteCapacityUnits": 8}}}
                            for name in ("by_status", "inverted")])
    throughput = client.describe_table(TableName="Shop")["Table"]["ProvisionedThroughput"]
    check_equal((throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]), (5, 6), "UpdateTable sets the throughput")
    check_error("ResourceNotFoundException", lambda: client.update_table(TableName="Nowhere", BillingMode="PAY_PER_REQUEST"),
                "UpdateTable of a table that is not there", kind=client.exceptions.ResourceNotFoundException)


def test_tags():
    arn = client.describe_table(TableName="Shop")["Table"]["TableArn"]
    client.tag_resource(ResourceArn=arn, Tags=[{"Key": f"k{number}", "Value": f"v{number}"} for number in range(15)])
    client.untag_resource(ResourceArn=arn, TagKeys=["k3", "k4"])
    pages = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
    check_equal(sorted((tag["Key"], tag["Value"]) for page in pages for tag in page["Tags"]),
                sorted((f"k{number}", f"v{number}") for number in range(15) if number not in (3, 4)),
                "tags are set, removed and listed by the paginator")
    tagged = create_table(client, "Tagged", "pk:S", Tags=[{"Key": "of", "Value": "creation"}])
    check_equal(client.list_tags_of_resource(ResourceArn=tagged["TableArn"])["Tags"], [{"Key": "of", "Value": "creation"}],
                "CreateTable sets tags")
    client.delete_table(TableName="Tagged")


def test_time_to_live():
    check_equal(client.describe_time_to_live(TableName="Shop")["TimeToLiveDescription"]["TimeToLiveStatus"], "DISABLED",
                "time to live is off at first")
    specification = {"Enabled": True, "AttributeName": "expires"}
    check_equal(client.update_time_to_live(TableName="Shop", TimeToLiveSpecification=specification)["TimeToLiveSpecification"],
                specification, "UpdateTimeToLive answers what it was asked for")
    found = client.describe_time_to_live(TableName="Shop")["TimeToLiveDescription"]
    check_equal((found["TimeToLiveStatus"], found["AttributeName"]), ("ENABLED", "expires"), "DescribeTimeToLive shows it")
    check_error("ValidationException", lambda: client.update_time_to_live(TableName="Shop", TimeToLiveSpecification=specification),
                "UpdateTimeToLive to what it is", "TimeToLive is already enabled")


def test_the_rest():
    limits = client.describe_limits()
    check(all(isinstance(limits[name], int) and limits[name] > 0 for name in (
        "AccountMaxReadCapacityUnits", "AccountMaxWriteCapacityUnits", "TableMaxReadCapacityUnits", "TableMaxWriteCapacityUnits")),
          "DescribeLimits answers four numbers", limits)
    endpoints = client.describe_endpoints()["Endpoints"]
    check(len(endpoints) == 1 and endpoints[0]["Address"] and endpoints[0]["CachePeriodInMinutes"] > 0,
          "DescribeEndpoints answers an address", endpoints)
    backups = client.describe_continuous_backups(TableName="Shop")["ContinuousBackupsDescription"]
    check(backups["ContinuousBackupsStatus"] in ("ENABLED", "DISABLED"), "DescribeContinuousBackups answers a status", backups)
    check_error("UnknownOperationException", client.list_backups, "an operation that is not there")


def test_delete():
    check_equal(client.delete_table(TableName="Shop")["TableDescription"]["TableStatus"], "DELETING", "DeleteTable answers DELETING")
    client.get_waiter("table_not_exists").wait(TableName="Shop", WaiterConfig={"Delay": 1, "MaxAttempts": 20})
    check_error("ResourceNotFoundException", lambda: client.describe_table(TableName="Shop"), "and then the table is gone",
                "Requested resource not found: Table: Shop not found", client.exceptions.ResourceNotFoundException)
    check_error("ResourceNotFoundException", lambda: client.delete_table(TableName="Shop"), "DeleteTable of a table that is not there",
                kind=client.exceptions.ResourceNotFoundException)


run(test_create_and_wait, test_create_errors, test_list, test_update, test_tags, test_time_to_live, test_the_rest, test_delete)
