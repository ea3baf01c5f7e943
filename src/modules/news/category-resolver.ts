import { LockMode } from '@mikro-orm/core';
import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import type { Values } from '../../kernel/declare/fields/options.js';
import { metaOf } from '../../kernel/declare/meta.js';
import { allowWriters } from '../../kernel/declare/policy/writes.js';
import { runChecks } from '../../kernel/declare/problems.js';
import { checkSameId } from '../../kernel/write/column-values.js';
import { touch } from '../../kernel/write/entities.js';
import { inputOf } from '../../kernel/write/input.js';
import { valuesOf } from '../../kernel/write/input-values.js';
import { Category } from './category.js';

/** A category after an update, and whether the update changed it. */
interface CategoryChange {
  category: Category;
  isChanged: boolean;
}

/** Updates a category and returns whether any value changed. If no value changed, `/v1` responds with 304 (section 4.4). */
const updateCategory = (context: Context, id: string, input: Values): Promise<CategoryChange> =>
  context.sql.transaction(async (em) => {
    // Because of the lock, only the first of two concurrent, identical updates counts as a change.
    const category = await em.findOne(Category, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!category) return fail('NOT_FOUND', `no category with the id ${id}`);
    const [values] = runChecks(
      () => valuesOf(metaOf(Category), input),
      () => checkSameId(input, id),
    );
    const before = new Map<string, unknown>(Object.entries(category));
    const isChanged = Object.entries(values).some(([key, value]) => before.get(key) !== value);
    if (isChanged) {
      touch(context, Object.assign(category, values));
      context.loaders.clear();
    }
    return { category, isChanged };
  });

@ObjectType({ description: 'Result of updating a category.' })
class CategoryUpdate {
  @Field(() => Category, { description: 'Category after the update.' })
  category!: Category;

  @Field(() => Boolean, { description: 'Whether the update changed any value.' })
  isChanged!: boolean;
}

@Resolver()
export class CategoryResolver {
  @allowWriters(Category)
  @Mutation(() => CategoryUpdate, {
    description: 'Updates the supplied fields of a category. Returns whether any value changed. NOT_FOUND: unknown ID.',
  })
  updateCategory(
    @Arg('id', () => ID, { description: 'ID of the category.' }) id: string,
    @Arg('input', () => inputOf(Category), { description: 'Fields to set on the category.' }) input: Values,
    @Ctx() context: Context,
  ): Promise<CategoryChange> {
    return updateCategory(context, id, input);
  }
}
