/*
 * src/expression/cache.c
 *		The parsed expressions of the session, by kind and text.
 *
 * Each expression has a memory context of its own below one of the cache.  Those that nobody uses are in a list, the one used
 * last at its head; when a new one comes and there are as many as singletable.expression_cache_size, the tail goes.  Those in
 * use are not in the list: they are never freed, and the cache is larger than the setting only while more than that are in use.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "base/settings.h"
#include "expression/expression_internal.h"

typedef struct CacheEntry
{
	ExpressionKey key;			/* must be first; the text is the expression's */
	Expression *expression;
} CacheEntry;

static MemoryContext cache_context = NULL;
static HTAB *cache = NULL;
static dlist_head unpinned = DLIST_STATIC_INIT(unpinned);

static uint32
hash_key(const void *key, Size keysize)
{
	const ExpressionKey *expression_key = key;

	return hash_combine(hash_bytes((const unsigned char *) expression_key->text, expression_key->length),
						(uint32) expression_key->kind);
}

static int
compare_keys(const void *a, const void *b, Size keysize)
{
	const ExpressionKey *one = a;
	const ExpressionKey *two = b;

	if (one->kind != two->kind || one->length != two->length)
		return 1;
	return memcmp(one->text, two->text, one->length);
}

static void
create_cache(void)
{
	HASHCTL		control = {0};

	if (cache_context == NULL)
		cache_context = AllocSetContextCreate(CacheMemoryContext, "singletable expression cache", ALLOCSET_SMALL_SIZES);
	control.keysize = sizeof(ExpressionKey);
	control.entrysize = sizeof(CacheEntry);
	control.hash = hash_key;
	control.match = compare_keys;
	control.hcxt = cache_context;
	cache = hash_create("singletable expressions", 128, &control, HASH_ELEM | HASH_FUNCTION | HASH_COMPARE | HASH_CONTEXT);
}

/*
 * Frees expressions that nobody uses until there is room for one more.
 */
static void
make_room(void)
{
	while (hash_get_num_entries(cache) >= singletable_expression_cache_size && !dlist_is_empty(&unpinned))
	{
		Expression *expression = dlist_tail_element(Expression, unpinned, &unpinned);

		dlist_delete(&expression->unpinned);
		hash_search(cache, &expression->key, HASH_REMOVE, NULL);
		MemoryContextDelete(expression->context);
	}
}

/*
 * ExpressionFind
 *		The parsed expression, from the cache or new.
 *
 * Result	stays until the next call, unless it is pinned
 * Errors	KV001, those of ExpressionParse
 */
Expression *
ExpressionFind(ExpressionKind kind, const char *text, uint32 length)
{
	ExpressionKey key = {kind, length, text};
	CacheEntry *entry;
	Expression *expression;
	MemoryContext context;
	MemoryContext oldcontext;

	if (cache == NULL)
		create_cache();
	entry = hash_search(cache, &key, HASH_FIND, NULL);
	if (entry != NULL)
	{
		if (entry->expression->pin_count == 0)
			dlist_move_head(&unpinned, &entry->expression->unpinned);
		return entry->expression;
	}

	/* An error on the way leaves nothing behind: the new context becomes the cache's at the end. */
	context = AllocSetContextCreate(CurrentMemoryContext, "singletable expression", ALLOCSET_SMALL_SIZES);
	oldcontext = MemoryContextSwitchTo(context);
	expression = ExpressionParse(kind, text, length);
	MemoryContextSwitchTo(oldcontext);
	expression->context = context;
	MemoryContextSetIdentifier(context, expression->key.text);

	make_room();
	entry = hash_search(cache, &expression->key, HASH_ENTER, NULL);
	entry->expression = expression;
	dlist_push_head(&unpinned, &expression->unpinned);
	MemoryContextSetParent(context, cache_context);
	return expression;
}

void
ExpressionPin(Expression *expression)
{
	if (expression->pin_count++ == 0)
		dlist_delete(&expression->unpinned);
}

void
ExpressionUnpin(Expression *expression)
{
	Assert(expression->pin_count > 0);
	if (--expression->pin_count == 0)
		dlist_push_head(&unpinned, &expression->unpinned);
}
