import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/fields/options.js';
import { allowWriters } from '../../kernel/declare/policy/writes.js';
import { inputOf } from '../../kernel/write/input.js';
import { Category } from './category.js';
import { type CategoryChange, updateCategory } from './update-category.js';

@ObjectType({ description: 'Result of an update of a category.' })
export class CategoryUpdate {
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
    @Arg('input', () => inputOf(Category), { description: 'Values of the category.' }) input: Values,
    @Ctx() context: Context,
  ): Promise<CategoryChange> {
    return updateCategory(context, id, input);
  }
}
