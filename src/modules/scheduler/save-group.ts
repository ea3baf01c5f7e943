import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { heldTo } from '../../kernel/declare/writers.js';
import type { Row } from '../../kernel/session.js';
import { remove, upsert } from '../../kernel/write/save.js';
import { GameGroup } from './game-group.js';

/** Refuses users who want to change a group that somebody else runs; platforms change any. */
async function checkOwner({ caller: { platform, user }, sql }: Context, id: string): Promise<void> {
  const group = await sql.first(sql.db.selectFrom('game_group').select('owner_id as ownerId').where('id', '=', id).forUpdate());
  if (group && !platform && group.ownerId !== user?.id) fail('FORBIDDEN', 'only for: who runs the group');
}

/** Creates or changes a group. A user's group is their own and stays it; a platform says whose it is. */
export const saveGroup = (context: Context, input: Row, returning: readonly string[]): Promise<Row> =>
  context.sql.transaction(async () => {
    if (typeof input.id === 'string') await checkOwner(context, input.id);
    return upsert(context, GameGroup, input, returning, {}, { held: heldTo(optionsOf(GameGroup).write, context.caller) });
  });

/** Deletes a group; its games stay. */
export const deleteGroup = (context: Context, id: string, returning: readonly string[]): Promise<Row> =>
  context.sql.transaction(async () => {
    await checkOwner(context, id);
    return remove(context, GameGroup, id, returning);
  });
