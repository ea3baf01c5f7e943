import { LockMode } from '@mikro-orm/core';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { failForbidden, userTokenCredential } from '../../../kernel/declare/policy/policy-error.js';
import { ownerRestrictionOf } from '../../../kernel/declare/policy/writers.js';
import { runAsyncChecks } from '../../../kernel/declare/problems.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { removeEntity } from '../../../kernel/write/entities.js';
import { valuesOf } from '../../../kernel/write/input-values.js';
import { upsert } from '../../../kernel/write/save.js';
import { checkUser } from '../games/check-users.js';
import { GameGroup } from './game-group.js';

/**
 * Locks a group. Returns null if the group does not exist. Throws FORBIDDEN for users who do not own the group. Platforms can change any
 * group.
 */
async function lockGroup({ caller: { platform, user }, sql }: Context, id: string): Promise<GameGroup | null> {
  const group = await sql.em.findOne(GameGroup, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (group && !platform && group.ownerId !== user?.id) failForbidden(userTokenCredential('of the owner of the group'));
  return group;
}

/** Throws FORBIDDEN if games still refer to a deleted group with this ID, because a new group with the ID would contain these games. */
async function checkNewId({ sql }: Context, id: string): Promise<void> {
  const game = await sql.first(sql.db.selectFrom('game').select('id').where('group_id', '=', id).limit(1));
  if (game) fail('FORBIDDEN', 'input.id: games already refer to a group with this id', { field: 'input.id' });
}

/** Creates or updates a group. Users own the groups that they create. Platforms set the owner. */
export const saveGroup = (context: Context, input: Values, returning: readonly string[]): Promise<RowOf<GameGroup>> =>
  context.sql.transaction(async () => {
    const ownerRestriction = ownerRestrictionOf(optionsOf(GameGroup).write, context.caller);
    const group = typeof input.id === 'string' ? await lockGroup(context, input.id) : null;
    if (typeof input.id === 'string' && !group && ownerRestriction) await checkNewId(context, input.id);
    const { ownerId } = input;
    const isNewOwner = !ownerRestriction && typeof ownerId === 'string' && ownerId !== '' && ownerId !== group?.ownerId;
    await runAsyncChecks(
      () => valuesOf(metaOf(GameGroup), input),
      async () => isNewOwner && checkUser(context.sql, ownerId, 'input.ownerId'),
    );
    return upsert(context, GameGroup, input, returning, {}, { ownerRestriction });
  });

/** Deletes a group, but not its games. */
export const deleteGroup = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<GameGroup>> =>
  context.sql.transaction(async () => {
    const group = (await lockGroup(context, id)) ?? fail('NOT_FOUND', `no gameGroup with the id ${id}`);
    return removeEntity(context, group, returning);
  });
