import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { allow, visitor } from '../../../kernel/declare/policy/policy.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { querySelection, selectedColumns } from '../../../kernel/read/select.js';
import { inputOf } from '../../../kernel/write/input.js';
import { User } from '../../accounts/users/user.js';
import { Biography } from './biography.js';
import { createUserContent, deleteUserContent } from './user-content.js';
import { UserImage } from './user-image.js';

/** Images and biographies of users (section 4.8). */
@Resolver(() => User)
export class UserContentResolver {
  @FieldResolver(() => Biography, {
    nullable: true,
    description: 'Newest approved biography. Null if the user has no approved biography.',
  })
  @allow(visitor)
  @readsColumns('id')
  async biography(
    @Root() { id }: Pick<User, 'id'>,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Biography> | null> {
    const listSelection = { selection: querySelection(Biography, info), cursors: false, rows: true };
    const { rows } = await loaders.loadPage(
      Biography,
      'userId',
      id,
      { first: 1, filter: { approvalState: { eq: 'APPROVED' } } },
      listSelection,
    );
    return rows[0] ?? null;
  }

  @Mutation(() => UserImage, {
    description:
      'Adds an image of a user. The image is pending and requires one approval. FORBIDDEN: the input sets `id`, and the caller is not a platform, an admin or a user with the role USERS_PROFILES_EDITOR.',
  })
  @allowWriters(UserImage, 'userId')
  createUserImage(
    @Arg('userId', () => ID, { description: 'ID of the user.' }) userId: string,
    @Arg('input', () => inputOf(UserImage), { description: 'Fields to set on the image. `type` is required.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<UserImage>> {
    return createUserContent(context, UserImage, userId, input, selectedColumns(UserImage, info));
  }

  @Mutation(() => UserImage, {
    description: 'Deletes an image of a user. Returns the deleted image. NOT_FOUND: the user has no image with this ID.',
  })
  @allowWriters(UserImage, 'userId')
  deleteUserImage(
    @Arg('id', () => ID, { description: 'ID of the image.' }) id: string,
    @Arg('userId', () => ID, { description: 'ID of the user.' }) userId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<UserImage>> {
    return deleteUserContent(context, UserImage, userId, id, selectedColumns(UserImage, info));
  }

  @Mutation(() => Biography, {
    description:
      'Adds a biography of a user. The biography is pending and requires one approval. FORBIDDEN: the input sets `id`, and the caller is not a platform, an admin or a user with the role USERS_PROFILES_EDITOR.',
  })
  @allowWriters(Biography, 'userId')
  createBiography(
    @Arg('userId', () => ID, { description: 'ID of the user.' }) userId: string,
    @Arg('input', () => inputOf(Biography), { description: 'Fields to set on the biography.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Biography>> {
    return createUserContent(context, Biography, userId, input, selectedColumns(Biography, info));
  }

  @Mutation(() => Biography, {
    description:
      'Deletes a biography of a user. Returns the deleted biography. NOT_FOUND: the user has no biography with this ID.',
  })
  @allowWriters(Biography, 'userId')
  deleteBiography(
    @Arg('id', () => ID, { description: 'ID of the biography.' }) id: string,
    @Arg('userId', () => ID, { description: 'ID of the user.' }) userId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Biography>> {
    return deleteUserContent(context, Biography, userId, id, selectedColumns(Biography, info));
  }
}
