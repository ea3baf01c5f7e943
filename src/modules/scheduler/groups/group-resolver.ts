import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { inputOf } from '../../../kernel/write/input.js';
import { GameGroup } from './game-group.js';
import { deleteGroup, saveGroup } from './save-group.js';

@Resolver()
export class GroupResolver {
  @allowWriters(GameGroup)
  @Mutation(() => GameGroup, {
    description:
      'Creates a group, or updates the supplied fields of the group with the same ID. Users can update only their own groups. FORBIDDEN if a user creates a group with an ID that games already refer to.',
  })
  upsertGameGroup(
    @Arg('input', () => inputOf(GameGroup), { description: 'Fields to set on the group.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<GameGroup>> {
    return saveGroup(context, input, selectedColumns(GameGroup, info));
  }

  @allowWriters(GameGroup)
  @Mutation(() => GameGroup, {
    description: 'Deletes a group and returns it. Its games are not deleted. FORBIDDEN for users who do not own the group.',
  })
  deleteGameGroup(
    @Arg('id', () => ID, { description: 'ID of the group.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<GameGroup>> {
    return deleteGroup(context, id, selectedColumns(GameGroup, info));
  }
}
