/*
 * src/base/settings.h
 *		The extension's settings; src/module.c defines them for the server.
 */
#ifndef SINGLETABLE_SETTINGS_H
#define SINGLETABLE_SETTINGS_H

/* Largest size of an item as DynamoDB counts it, in kB of 1024 bytes (default 400). */
extern int	singletable_max_item_size;

/* Most compiled expressions that a session keeps (default 1000). */
extern int	singletable_expression_cache_size;

/* Most table descriptors with their kept plans that a session keeps (default 1000). */
extern int	singletable_table_cache_size;

/* Add up the capacity units that operations consume, for session_capacity(). */
extern bool singletable_track_capacity;

/* Developer setting: read plain tables with statements too, so that tests can run both ways. */
extern bool singletable_force_statements;

/* The largest value of max_item_size, kB: the item format's offsets have room for it many times over. */
#define MAX_ITEM_SIZE_LIMIT (64 * 1024)

#define ItemSizeLimit() ((uint64) singletable_max_item_size * 1024)

#endif							/* SINGLETABLE_SETTINGS_H */
