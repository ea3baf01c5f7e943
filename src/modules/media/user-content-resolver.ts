import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/options.js';
import { allow, visitor } from '../../kernel/declare/policy.js';
import { needs } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted, selected } from '../../kernel/read/select.js';
import { inputOf } from '../../kernel/write/input.js';
import { User } from '../accounts/user.js';
import { Biography } from './biography.js';
import { createUserContent, deleteUserContent } from './user-content.js';
import { UserImage } from './user-image.js';

/** What users show of themselves: images and biographies (section 4.8). */
@Resolver(() => User)
export class UserContentResolver {
  @FieldResolver(() => Biography, {
    nullable: true,
    description: 'The newest approved biography.',
  })
  @allow(visitor)
  @needs('id')
  async biography(
    @Root() { id }: Pick<User, 'id'>,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Biography> | null> {
    const wanted = { selection: selected(Biography, info), cursors: false, rows: true };
    const { rows } = await loaders.many(
      Biography,
      'userId',
      id,
      { first: 1, filter: { approvalState: { eq: 'APPROVED' } } },
      wanted,
    );
    return rows[0] ?? null;
  }

  @Mutation(() => UserImage, {
    description:
      'Adds an image of a user; it is pending until it is approved once. Only platforms, admins and editors of profiles can set its `id`: FORBIDDEN for others.',
  })
  @writes(UserImage, 'userId')
  createUserImage(
    @Arg('userId', () => ID, { description: 'Id of the user.' }) userId: string,
    @Arg('input', () => inputOf(UserImage), { description: 'Values of the image. `type` is required.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<UserImage>> {
    return createUserContent(context, UserImage, userId, input, columnsWanted(UserImage, info));
  }

  @Mutation(() => UserImage, {
    description: 'Deletes an image of a user and returns it as it was; NOT_FOUND when the user has none with that id.',
  })
  @writes(UserImage, 'userId')
  deleteUserImage(
    @Arg('id', () => ID, { description: 'Id of the image.' }) id: string,
    @Arg('userId', () => ID, { description: 'Id of the user.' }) userId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<UserImage>> {
    return deleteUserContent(context, UserImage, userId, id, columnsWanted(UserImage, info));
  }

  @Mutation(() => Biography, {
    description:
      'Adds a biography of a user; it is pending until it is approved once. Only platforms, admins and editors of profiles can set its `id`: FORBIDDEN for others.',
  })
  @writes(Biography, 'userId')
  createBiography(
    @Arg('userId', () => ID, { description: 'Id of the user.' }) userId: string,
    @Arg('input', () => inputOf(Biography), { description: 'Values of the biography.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Biography>> {
    return createUserContent(context, Biography, userId, input, columnsWanted(Biography, info));
  }

  @Mutation(() => Biography, {
    description: 'Deletes a biography of a user and returns it as it was; NOT_FOUND when the user has none with that id.',
  })
  @writes(Biography, 'userId')
  deleteBiography(
    @Arg('id', () => ID, { description: 'Id of the biography.' }) id: string,
    @Arg('userId', () => ID, { description: 'Id of the user.' }) userId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Biography>> {
    return deleteUserContent(context, Biography, userId, id, columnsWanted(Biography, info));
  }
}
