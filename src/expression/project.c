/*
 * src/expression/project.c
 *		What paths select of an item.
 *
 * The paths are sorted by their steps, so that those with a common beginning are neighbours: a range of them is a branch of a
 * tree, and the order of its children is that of names in a map and of elements in a list.  Paths that lead nowhere are left
 * out first; every container that is then entered has something to show.  Whole attributes are copied as they are.
 * Source: reference/expressions, section 10.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "expression/expression_internal.h"

typedef struct Projection
{
	const DocumentPath **paths; /* sorted; each leads to a value */
	ItemBuilder *builder;
} Projection;

/*
 * Where the paths from .. to stop sharing their step at depth: one past the last that has the step of the first.
 */
static uint32
find_branch_end(const Projection *projection, uint32 from, uint32 to, uint32 depth)
{
	const PathStep *first = &projection->paths[from]->steps[depth];
	uint32		end = from + 1;

	while (end < to && PathStepEqual(first, &projection->paths[end]->steps[depth]))
		end++;
	return end;
}

/*
 * Builds what the paths from .. to select of a container, to which their first depth steps lead.
 */
static void
project_container(Projection *projection, uint32 from, uint32 to, uint32 depth, const AttributeValue *container)
{
	check_stack_depth();
	ItemBuilderBegin(projection->builder, container->type);
	while (from < to)
	{
		const DocumentPath *path = projection->paths[from];
		const PathStep *step = &path->steps[depth];
		uint32		end = find_branch_end(projection, from, to, depth);
		AttributeValue value;

		if (!PathStepFind(step, container, &value))
			elog(ERROR, "path of a projection leads nowhere");
		if (!step->is_index)
			ItemBuilderName(projection->builder, step->name, step->name_length);
		if (path->step_count == depth + 1)
			ItemBuilderValue(projection->builder, &value);
		else
			project_container(projection, from, end, depth + 1, &value);
		from = end;
	}
	ItemBuilderEnd(projection->builder);
}

SingletableItem *
PathsProject(const PreparedExpression *prepared, uint32 count, AttributeSource *source)
{
	Projection	projection;
	Attribute  *attributes = palloc(sizeof(Attribute) * count);
	uint32		attribute_count = 0;
	uint32		found = 0;

	projection.paths = palloc(sizeof(DocumentPath *) * count);
	projection.builder = NULL;
	for (uint32 i = 0; i < count; i++)
	{
		const DocumentPath *path = OrderedPath(prepared, i);
		AttributeValue value;

		if (DocumentPathFind(path, source, &value))
			projection.paths[found++] = path;
	}
	if (found == 0)
		return NULL;

	for (uint32 from = 0; from < found;)
	{
		const DocumentPath *path = projection.paths[from];
		Attribute  *attribute = &attributes[attribute_count++];
		uint32		end = find_branch_end(&projection, from, found, 0);

		attribute->name = path->steps[0].name;
		attribute->name_length = path->steps[0].name_length;
		if (!source->find(source, attribute->name, attribute->name_length, &attribute->value))
			elog(ERROR, "attribute of a projection does not exist");
		if (path->step_count > 1)
		{
			AttributeValue whole = attribute->value;

			if (projection.builder == NULL)
				projection.builder = ItemBuilderCreate();
			else
				ItemBuilderReset(projection.builder);
			project_container(&projection, from, end, 1, &whole);
			ItemBuilderFinish(projection.builder, &attribute->value);
		}
		from = end;
	}
	return ItemFromAttributes(attributes, attribute_count);
}

SingletableItem *
ExpressionProject(const PreparedExpression *expression, AttributeSource *source)
{
	SingletableItem *item = PathsProject(expression, expression->expression->path_count, source);

	return item != NULL ? item : ItemEmpty();
}

SingletableItem *
ExpressionProjectTargets(const PreparedExpression *expression, AttributeSource *source)
{
	return PathsProject(expression, expression->expression->action_count, source);
}
