import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/options.js';
import { writes } from '../../kernel/declare/writes.js';
import { inputOf } from '../../kernel/write/input.js';
import { Category } from './category.js';
import { type CategoryChange, updateCategory } from './update-category.js';

@ObjectType({ description: 'What an update of a category came to.' })
export class CategoryUpdate {
  @Field(() => Category, { description: 'The category as it is now.' })
  category!: Category;

  @Field(() => Boolean, { description: 'False when it had these values already.' })
  isChanged!: boolean;
}

@Resolver()
export class CategoryResolver {
  @writes(Category)
  @Mutation(() => CategoryUpdate, {
    description: 'Changes the fields given of a category, and tells whether it became different; NOT_FOUND for an unknown id.',
  })
  updateCategory(
    @Arg('id', () => ID, { description: 'Id of the category.' }) id: string,
    @Arg('input', () => inputOf(Category), { description: 'Its values.' }) input: Values,
    @Ctx() context: Context,
  ): Promise<CategoryChange> {
    return updateCategory(context, id, input);
  }
}
