/*
 * src/base/error.h
 *		DynamoDB's exceptions as SQLSTATEs of class KV.
 *
 * One table: symbol, the three characters after KV, DynamoDB's name, HTTP status, and whether a client may send the same
 * request again.  The function dynamodb_exceptions() and the README's table come from it.
 * Source: reference/errors, section 2.
 */
#ifndef SINGLETABLE_ERROR_H
#define SINGLETABLE_ERROR_H

#include "utils/elog.h"
#include "utils/errcodes.h"

#define SINGLETABLE_EXCEPTIONS(X) \
	X(VALIDATION, '0', '0', '1', "ValidationException", 400, false) \
	X(CONDITIONAL_CHECK_FAILED, '0', '0', '2', "ConditionalCheckFailedException", 400, false) \
	X(RESOURCE_NOT_FOUND, '0', '0', '3', "ResourceNotFoundException", 400, false) \
	X(RESOURCE_IN_USE, '0', '0', '4', "ResourceInUseException", 400, false) \
	X(TRANSACTION_CANCELED, '0', '0', '5', "TransactionCanceledException", 400, false) \
	X(TRANSACTION_CONFLICT, '0', '0', '6', "TransactionConflictException", 400, true) \
	X(TRANSACTION_IN_PROGRESS, '0', '0', '7', "TransactionInProgressException", 400, true) \
	X(IDEMPOTENT_PARAMETER_MISMATCH, '0', '0', '8', "IdempotentParameterMismatchException", 400, false) \
	X(ITEM_COLLECTION_SIZE_LIMIT, '0', '0', '9', "ItemCollectionSizeLimitExceededException", 400, true) \
	X(LIMIT_EXCEEDED, '0', '1', '0', "LimitExceededException", 400, true) \
	X(SERIALIZATION, '0', '1', '1', "SerializationException", 400, false) \
	X(UNKNOWN_OPERATION, '0', '1', '2', "UnknownOperationException", 400, false) \
	X(ACCESS_DENIED, '0', '1', '3', "AccessDeniedException", 400, false) \
	X(DUPLICATE_ITEM, '0', '1', '4', "DuplicateItemException", 400, false) \
	X(PROVISIONED_THROUGHPUT_EXCEEDED, '0', '1', '5', "ProvisionedThroughputExceededException", 400, true) \
	X(THROTTLING, '0', '1', '6', "ThrottlingException", 400, true) \
	X(INTERNAL_SERVER_ERROR, '0', '1', '7', "InternalServerError", 500, true) \
	X(TABLE_NOT_FOUND, '0', '1', '8', "TableNotFoundException", 400, false)

#define X(symbol, a, b, c, name, status, retry) ERRCODE_KV_##symbol = MAKE_SQLSTATE('K', 'V', a, b, c),
enum
{
	SINGLETABLE_EXCEPTIONS(X)
};
#undef X

/* The most common of them, with DynamoDB's text. */
#define validation_error(...) ereport(ERROR, (errcode(ERRCODE_KV_VALIDATION), errmsg(__VA_ARGS__)))
#define serialization_error(...) ereport(ERROR, (errcode(ERRCODE_KV_SERIALIZATION), errmsg(__VA_ARGS__)))

/* Texts that more than one layer reports. */
#define MESSAGE_KEY_SCHEMA "The provided key element does not match the schema"
#define MESSAGE_NO_TABLE "Requested resource not found"
#define MESSAGE_CONDITION_FAILED "The conditional request failed"
#define MESSAGE_TRANSACTION_CONFLICT "Transaction is ongoing for the item"
#define MESSAGE_ITEM_SIZE "Item size has exceeded the maximum allowed size"
#define MESSAGE_UPDATE_SIZE "Item size to update has exceeded the maximum allowed size"

/* DynamoDB's name of a SQLSTATE of class KV; NULL for any other. */
extern const char *ExceptionName(int sqlerrcode);

/* The HTTP status of a SQLSTATE of class KV; 500 for any other. */
extern int	ExceptionStatus(int sqlerrcode);

#endif							/* SINGLETABLE_ERROR_H */
