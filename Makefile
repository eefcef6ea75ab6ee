# singletable: see README.md.  PGXS does the building; test/run does the checking.
MODULE_big = singletable
EXTENSION = singletable
DATA = singletable--1.0.sql
HEADERS = src/item/item.h

OBJS = $(patsubst %.c,%.o,$(sort $(wildcard $(srcdir)/src/*.c $(srcdir)/src/*/*.c)))

# In the order of the layers, see src/README.
REGRESS = api \
	base_exceptions \
	base_encoding \
	item_io \
	item_number \
	item_size \
	item_sets \
	item_nesting \
	item_operators \
	item_toast \
	item_recv \
	expression_syntax \
	expression_condition \
	expression_update \
	expression_projection \
	expression_placeholders \
	expression_key_condition \
	expression_limits \
	index_prefix \
	index_definition \
	index_scan \
	index_planner \
	index_check \
	index_maintenance \
	table_descriptor \
	table_full_item \
	storage_read \
	storage_scan \
	storage_write storage_direct \
	storage_privileges \
	operation_get_put \
	operation_update \
	operation_delete_check \
	operation_conditions \
	operation_query \
	operation_query_errors \
	operation_scan \
	operation_paging \
	operation_batch \
	operation_transaction \
	operation_projections \
	operation_errors \
	operation_tables \
	operation_server \
	model_leaderboard \
	model_orders \
	model_freight \
	api_request \
	api_errors \
	api_get_item \
	api_put_item \
	api_update_item \
	api_delete_item \
	api_query \
	api_scan \
	api_batch_get_item \
	api_batch_write_item \
	api_transact_get_items \
	api_transact_write_items \
	api_index \
	api_legacy \
	api_table_create \
	api_table_update \
	api_table_describe \
	api_table_name \
	api_table_tag \
	api_table_privilege \
	api_table_time_to_live \
	api_table_cycles \
	endpoint_access_key \
	endpoint_statistics \
	tools_entity_map \
	tools_copies \
	tools_access_patterns \
	tools_capacity \
	tools_entity_view \
	example_01_racing \
	example_02_inventory \
	example_03_orders \
	example_04_blog \
	example_05_annotations \
	example_06_freight \
	example_07_smart_home \
	example_08_beside_sql \
	example_09_time_series \
	example_10_hot_keys \
	example_11_unique

ISOLATION = $(patsubst test/specs/%.spec,%,$(sort $(wildcard test/specs/*.spec)))
ISOLATION_OPTS = --inputdir=test --outputdir=test/output --load-extension=singletable
TAP_TESTS = 1
PROVE_TESTS = $(sort $(wildcard test/t/*.pl))

srcdir ?= .
PG_CPPFLAGS = -I$(srcdir)/src
SHLIB_LINK = -lz
PG_CFLAGS = -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare -Wno-missing-field-initializers $(EXTRA_CFLAGS)

PG_CONFIG ?= $(firstword $(wildcard /usr/lib/postgresql/15/bin/pg_config) pg_config)
PGXS := $(shell $(PG_CONFIG) --pgxs 2>/dev/null)

.PHONY: check check-all demo bench fuzz format
.DEFAULT_GOAL := all

check-all:
	@test/run check
demo:
	@test/run demo
bench:
	@test/run bench
fuzz:
	@test/run fuzz
format:
	clang-format -i $(wildcard src/*.c src/*.h src/*/*.c src/*/*.h)

# On a fresh machine there is no PGXS yet: the commands above install what it needs and call make again.
ifneq ($(PGXS),)
ifneq ($(wildcard $(PGXS)),)
include $(PGXS)
endif
endif

# PGXS on Debian tracks no dependencies on headers.
$(OBJS): $(wildcard src/*/*.h)
$(OBJS:.o=.bc): $(wildcard src/*/*.h)

# PGXS's own check target only prints a refusal: ours runs as its prerequisite, and its echo is muted.
check: check-all
check: private SHELL := /bin/true

# For the scripts of test/: the value of a variable.
print-%:
	@echo $($*)
