/*
 * src/operation/expire.h
 *		Time to live: deleting the items whose time has passed.
 */
#ifndef SINGLETABLE_EXPIRE_H
#define SINGLETABLE_EXPIRE_H

/*
 * Deletes expired items of a table, at most max_items (0 = all), within the current transaction.
 * Result	how many; 0 when the table's time to live is off
 * Errors	KV003 if it is no item table; 42501 without SELECT, UPDATE and DELETE on it
 */
extern int64 ItemTableExpire(Oid relid, int64 max_items);
/* The same for every table whose time to live is on and which the current user may sweep. */
extern int64 ItemTablesExpire(int64 max_items);

#endif							/* SINGLETABLE_EXPIRE_H */
