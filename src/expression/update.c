/*
 * src/expression/update.c
 *		Updates: an old item and an update expression give the new item.
 *
 * First the parents of all targets are looked at, then every right side is evaluated, both on the old item.  What the actions
 * leave at their targets is then merged with the old item.  The targets are sorted by their steps, so a range of neighbours is
 * a branch of a tree and has the order of the map or list it changes; targets never overlap, so a branch either is one target
 * or leads on to several.  Positions in lists are those of the old item: elements past the end are appended in the order of
 * their numbers, removed ones are left out.  Attributes that no target touches are copied as they are.
 * Source: reference/expressions, section 9.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "base/error.h"
#include "expression/expression_internal.h"

#define MESSAGE_INVALID_PATH "The document path provided in the update expression is invalid for update"
#define MESSAGE_MISSING_ATTRIBUTE "The provided expression refers to an attribute that does not exist in the item"
#define MESSAGE_OPERAND_TYPE "An operand in the update expression has an incorrect data type"
#define MESSAGE_LEGACY_TYPE "Type mismatch for attribute to update"

/* What an action leaves at its target. */
typedef enum OutcomeType
{
	OUTCOME_KEEP,				/* what was there, if anything */
	OUTCOME_REPLACE,
	OUTCOME_REMOVE
} OutcomeType;

typedef struct Outcome
{
	OutcomeType type;
	AttributeValue value;		/* REPLACE */
} Outcome;

typedef struct Update
{
	const PreparedExpression *prepared;
	AttributeSource *source;	/* the old item */
	bool		item_exists;
	Outcome    *outcomes;		/* by number of the target */
	ItemBuilder *builder;		/* for sets, lists and changed containers; one after the other */
} Update;

/* ---- right sides ---- */

static void evaluate_right_side(Update *update, const Operand *operand, AttributeValue *value);

static ItemBuilder *
start_builder(Update *update)
{
	if (update->builder == NULL)
		update->builder = ItemBuilderCreate();
	else
		ItemBuilderReset(update->builder);
	return update->builder;
}

static void
check_type(const AttributeValue *value, AttributeType type)
{
	if (value->type != type)
		validation_error(MESSAGE_OPERAND_TYPE);
}

/*
 * What is there must be of the type of what ADD or DELETE brings.
 */
static void
check_target_type(const Update *update, const UpdateTarget *target, const AttributeValue *old)
{
	if (old->type != target->value->type)
		validation_error("%s", update->prepared->expression->is_legacy ? MESSAGE_LEGACY_TYPE : MESSAGE_OPERAND_TYPE);
}

static void
add_numbers(const AttributeValue *a, const AttributeValue *b, bool subtract, AttributeValue *sum)
{
	char	   *number = palloc(ITEM_NUMBER_MAX);

	check_type(a, ATTRIBUTE_N);
	check_type(b, ATTRIBUTE_N);
	sum->length = ItemNumberAdd(a, b, subtract, number);
	sum->type = ATTRIBUTE_N;
	sum->data = number;
}

static void
append_members(ItemBuilder *builder, const AttributeValue *value)
{
	AttributeContainer container;
	AttributeValue member;

	AttributeContainerOpen(value, &container);
	for (uint32 i = 0; i < container.count; i++)
	{
		AttributeContainerGet(&container, i, &member);
		ItemBuilderValue(builder, &member);
	}
}

/*
 * The list of both lists' elements, or the set of both sets' members.
 */
static void
join_containers(Update *update, const AttributeValue *a, const AttributeValue *b, AttributeValue *joined)
{
	ItemBuilder *builder = start_builder(update);

	ItemBuilderBegin(builder, a->type);
	append_members(builder, a);
	append_members(builder, b);
	ItemBuilderEnd(builder);
	ItemBuilderFinish(builder, joined);
}

static void
evaluate_call(Update *update, const Operand *call, AttributeValue *value)
{
	const Operand *first = call->arguments.first;
	AttributeValue one;
	AttributeValue two;

	if (call->function == FUNCTION_IF_NOT_EXISTS)
	{
		if (!DocumentPathFind(&update->prepared->paths[first->index], update->source, value))
			evaluate_right_side(update, first->next, value);
		return;
	}

	Assert(call->function == FUNCTION_LIST_APPEND);
	evaluate_right_side(update, first, &one);
	evaluate_right_side(update, first->next, &two);
	check_type(&one, ATTRIBUTE_L);
	check_type(&two, ATTRIBUTE_L);
	join_containers(update, &one, &two, value);
}

static void
evaluate_right_side(Update *update, const Operand *operand, AttributeValue *value)
{
	AttributeValue one;
	AttributeValue two;

	check_stack_depth();
	switch (operand->type)
	{
		case OPERAND_PATH:
			if (!DocumentPathFind(&update->prepared->paths[operand->index], update->source, value))
				validation_error(MESSAGE_MISSING_ATTRIBUTE);
			break;
		case OPERAND_VALUE:
			*value = update->prepared->values[operand->index];
			break;
		case OPERAND_CALL:
			evaluate_call(update, operand, value);
			break;
		case OPERAND_PLUS:
		case OPERAND_MINUS:
			evaluate_right_side(update, operand->arguments.first, &one);
			evaluate_right_side(update, operand->arguments.last, &two);
			add_numbers(&one, &two, operand->type == OPERAND_MINUS, value);
			break;
	}
}

/* ---- actions ---- */

static void
set_outcome(Outcome *outcome, const AttributeValue *value)
{
	outcome->type = OUTCOME_REPLACE;
	outcome->value = *value;
}

static void
evaluate_add(Update *update, const UpdateTarget *target, Outcome *outcome)
{
	AttributeValue old;
	AttributeValue sum;

	if (!DocumentPathFind(&target->path, update->source, &old))
	{
		set_outcome(outcome, target->value);
		return;
	}
	check_target_type(update, target, &old);
	if (old.type == ATTRIBUTE_N)
		add_numbers(&old, target->value, false, &sum);
	else
		join_containers(update, &old, target->value, &sum);
	set_outcome(outcome, &sum);
}

/*
 * A set without the members of another; an empty one is removed.
 */
static void
evaluate_delete(Update *update, const UpdateTarget *target, Outcome *outcome)
{
	AttributeValue old;
	AttributeValue member;
	AttributeContainer members;
	AttributeContainer deleted;
	ItemBuilder *builder;

	if (!DocumentPathFind(&target->path, update->source, &old))
		return;
	check_target_type(update, target, &old);
	AttributeContainerOpen(&old, &members);
	AttributeContainerOpen(target->value, &deleted);
	builder = start_builder(update);
	ItemBuilderBegin(builder, old.type);
	for (uint32 i = 0; i < members.count; i++)
	{
		AttributeContainerGet(&members, i, &member);
		if (!AttributeSetContains(&deleted, member.data, member.length))
			ItemBuilderValue(builder, &member);
	}
	if (ItemBuilderCount(builder) == 0)
	{
		outcome->type = OUTCOME_REMOVE;
		return;
	}
	ItemBuilderEnd(builder);
	outcome->type = OUTCOME_REPLACE;
	ItemBuilderFinish(builder, &outcome->value);
}

/*
 * A target's last step must lead into a container of its kind.  On an item that does not exist at all, there is nothing to
 * remove.
 */
static bool
has_parent(const Update *update, const UpdateTarget *target)
{
	const PathStep *last = &target->path.steps[target->path.step_count - 1];
	DocumentPath parent = {target->path.step_count - 1, target->path.steps};
	AttributeValue value;

	return target->path.step_count == 1 ||
		(!update->item_exists && (target->clause == UPDATE_REMOVE || target->clause == UPDATE_DELETE)) ||
		(DocumentPathFind(&parent, update->source, &value) && value.type == (last->is_index ? ATTRIBUTE_L : ATTRIBUTE_M));
}

static void
evaluate_actions(Update *update)
{
	const Expression *expression = update->prepared->expression;

	for (uint32 i = 0; i < expression->action_count; i++)
		if (!has_parent(update, &update->prepared->targets[i]))
			validation_error(MESSAGE_INVALID_PATH);

	for (uint32 i = 0; i < expression->action_count; i++)
	{
		const UpdateTarget *target = &update->prepared->targets[i];
		Outcome    *outcome = &update->outcomes[i];

		switch (target->clause)
		{
			case UPDATE_SET:
				evaluate_right_side(update, expression->actions[i].operand, &outcome->value);
				outcome->type = OUTCOME_REPLACE;
				break;
			case UPDATE_REMOVE:
				outcome->type = OUTCOME_REMOVE;
				break;
			case UPDATE_ADD:
				evaluate_add(update, target, outcome);
				break;
			case UPDATE_DELETE:
				evaluate_delete(update, target, outcome);
				break;
		}
	}
}

/* ---- merging with the old item ---- */

static void merge_value(Update *update, uint32 from, uint32 to, uint32 depth, const AttributeValue *old);

static int
compare_names(const PathStep *step, const Attribute *attribute)
{
	return AttributeNameCompare(step->name, step->name_length, attribute->name, attribute->name_length);
}

static const PathStep *
get_step(const Update *update, uint32 i, uint32 depth)
{
	return &OrderedPath(update->prepared, i)->steps[depth];
}

/*
 * One past the last target of the range that has the first one's step at depth.
 */
static uint32
find_branch_end(const Update *update, uint32 from, uint32 to, uint32 depth)
{
	const PathStep *first = get_step(update, from, depth);
	uint32		end = from + 1;

	while (end < to && PathStepEqual(first, get_step(update, end, depth)))
		end++;
	return end;
}

/*
 * What a branch leaves where its step at depth leads: the outcome of its only target, or something to merge further down.
 */
static const Outcome *
find_outcome(const Update *update, uint32 from, uint32 depth)
{
	if (OrderedPath(update->prepared, from)->step_count > depth + 1)
		return NULL;
	return &update->outcomes[update->prepared->path_order[from]];
}

static void
merge_map(Update *update, uint32 from, uint32 to, uint32 depth, const AttributeContainer *old)
{
	ItemBuilder *builder = update->builder;
	uint32		i = 0;

	while (i < old->count || from < to)
	{
		Attribute	attribute;
		const PathStep *step;
		const Outcome *outcome;
		uint32		end;
		int			order = -1;

		if (i < old->count)
		{
			AttributeMapGet(old, i, &attribute);
			order = from < to ? compare_names(get_step(update, from, depth), &attribute) : 1;
		}
		if (order > 0)
		{
			ItemBuilderName(builder, attribute.name, attribute.name_length);
			ItemBuilderValue(builder, &attribute.value);
			i++;
			continue;
		}

		/* order == 0: the branch changes an old member; order < 0: there is none, and nothing to merge with it. */
		step = get_step(update, from, depth);
		end = find_branch_end(update, from, to, depth);
		outcome = find_outcome(update, from, depth);
		Assert(outcome != NULL || order == 0);
		if (outcome == NULL || outcome->type == OUTCOME_REPLACE || (outcome->type == OUTCOME_KEEP && order == 0))
		{
			ItemBuilderName(builder, step->name, step->name_length);
			if (outcome == NULL)
				merge_value(update, from, end, depth + 1, &attribute.value);
			else
				ItemBuilderValue(builder, outcome->type == OUTCOME_REPLACE ? &outcome->value : &attribute.value);
		}
		if (order == 0)
			i++;
		from = end;
	}
}

static void
merge_list(Update *update, uint32 from, uint32 to, uint32 depth, const AttributeContainer *old)
{
	ItemBuilder *builder = update->builder;

	for (uint32 i = 0; i < old->count; i++)
	{
		AttributeValue element;
		const Outcome *outcome;
		uint32		end;

		AttributeContainerGet(old, i, &element);
		if (from == to || get_step(update, from, depth)->index != i)
		{
			ItemBuilderValue(builder, &element);
			continue;
		}
		end = find_branch_end(update, from, to, depth);
		outcome = find_outcome(update, from, depth);
		if (outcome == NULL)
			merge_value(update, from, end, depth + 1, &element);
		else if (outcome->type == OUTCOME_REPLACE)
			ItemBuilderValue(builder, &outcome->value);
		else if (outcome->type == OUTCOME_KEEP)
			ItemBuilderValue(builder, &element);
		from = end;
	}
	/* Past the end there is nothing to remove, and nothing that a longer path leads into. */
	for (; from < to; from++)
	{
		const Outcome *outcome = find_outcome(update, from, depth);

		if (outcome->type == OUTCOME_REPLACE)
			ItemBuilderValue(builder, &outcome->value);
	}
}

/*
 * Builds an old container with the changes of the targets from .. to, whose first depth steps lead to it.
 */
static void
merge_value(Update *update, uint32 from, uint32 to, uint32 depth, const AttributeValue *old)
{
	AttributeContainer container;

	check_stack_depth();
	AttributeContainerOpen(old, &container);
	ItemBuilderBegin(update->builder, old->type);
	if (old->type == ATTRIBUTE_M)
		merge_map(update, from, to, depth, &container);
	else
		merge_list(update, from, to, depth, &container);
	ItemBuilderEnd(update->builder);
}

/*
 * Adds what a branch leaves of a top-level attribute to the new item's attributes; old is NULL if it does not exist.
 */
static uint32
merge_attribute(Update *update, uint32 from, uint32 to, const Attribute *old, Attribute *attributes, uint32 count)
{
	const PathStep *step = get_step(update, from, 0);
	const Outcome *outcome = find_outcome(update, from, 0);
	Attribute  *attribute = &attributes[count];

	attribute->name = step->name;
	attribute->name_length = step->name_length;
	if (outcome == NULL)
	{
		/* Below an item that does not exist, only REMOVE and DELETE get here: they find nothing, not even in its key. */
		if (!update->item_exists)
		{
			if (old == NULL)
				return count;
			*attribute = *old;
			return count + 1;
		}
		start_builder(update);
		merge_value(update, from, to, 1, &old->value);
		ItemBuilderFinish(update->builder, &attribute->value);
		return count + 1;
	}
	if (outcome->type == OUTCOME_REPLACE)
	{
		attribute->value = outcome->value;
		return count + 1;
	}
	if (outcome->type == OUTCOME_KEEP && old != NULL)
	{
		attribute->value = old->value;
		return count + 1;
	}
	return count;
}

static SingletableItem *
merge_item(Update *update)
{
	AttributeContainer old;
	Attribute  *attributes;
	uint32		count = 0;
	uint32		from = 0;
	uint32		to = update->prepared->expression->action_count;
	uint32		i = 0;

	update->source->map(update->source, &old);
	attributes = palloc(sizeof(Attribute) * (old.count + to));
	while (i < old.count || from < to)
	{
		Attribute	attribute;
		uint32		end;
		int			order = -1;

		if (i < old.count)
		{
			AttributeMapGet(&old, i, &attribute);
			order = from < to ? compare_names(get_step(update, from, 0), &attribute) : 1;
		}
		if (order > 0)
		{
			attributes[count++] = attribute;
			i++;
			continue;
		}
		end = find_branch_end(update, from, to, 0);
		count = merge_attribute(update, from, end, order == 0 ? &attribute : NULL, attributes, count);
		if (order == 0)
			i++;
		from = end;
	}
	return ItemFromAttributes(attributes, count);
}

/*
 * Can the new item be nested too deep?  Only by a value that was put into it.
 */
static bool
may_exceed_nesting(const Update *update)
{
	for (uint32 i = 0; i < update->prepared->expression->action_count; i++)
		if (update->outcomes[i].type == OUTCOME_REPLACE &&
			update->prepared->targets[i].path.step_count - 1 + AttributeValueNesting(&update->outcomes[i].value) > ITEM_MAX_NESTING)
			return true;
	return false;
}

/*
 * ExpressionUpdate
 *		The item that an update makes of an old one.
 *
 * Result	palloc'd in the current context, as is what is needed on the way
 * Errors	KV001: a target without parent, a missing or mistyped operand, a number out of range, nesting
 */
SingletableItem *
ExpressionUpdate(const PreparedExpression *expression, AttributeSource *source, bool item_exists)
{
	Update		update;
	SingletableItem *item;

	update.prepared = expression;
	update.source = source;
	update.item_exists = item_exists;
	update.outcomes = palloc0(sizeof(Outcome) * expression->expression->action_count);
	update.builder = NULL;
	evaluate_actions(&update);
	item = merge_item(&update);
	if (may_exceed_nesting(&update))
		ItemCheckNesting(item);
	return item;
}
