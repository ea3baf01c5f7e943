import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { Problems, runAsyncChecks } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { checkSameId } from '../../../kernel/write/column-values.js';
import { entityToRow } from '../../../kernel/write/entities.js';
import { valuesOf } from '../../../kernel/write/input-values.js';
import { checkReferences } from '../../../kernel/write/references.js';
import { update } from '../../../kernel/write/save.js';
import { checkGroup } from '../groups/check-group-sql.js';
import { stringsIn, updatedInvitations } from '../invitations/invited-addresses.js';
import { lockAddresses } from '../invitations/lock-addresses-sql.js';
import { invitationsOf, notifyInvitees } from '../invitations/notify-invitees.js';
import { createOccurrences } from '../occurrences/make-occurrences.js';
import { rearrangePlaces } from '../places/change-places.js';
import { changesPlaces, placesOf } from '../places/places.js';
import { instantsOf, localTimes } from '../times/local-time.js';
import { zoneOffset } from '../times/zone-offset.js';
import { checkGame } from './check-game.js';
import { checkUser, checkUsers } from './check-users.js';
import { Game } from './game.js';
import { lockManagedGame } from './lock-game.js';
import { toStoredGame, withUncheckedZone } from './stored-game.js';

/**
 * Returns the values that set the new owner of a game. Empty if the owner stays the same. Throws FORBIDDEN if the owner changes and the
 * caller is not a platform.
 */
function ownerOf({ caller }: Context, ownerId: unknown, before: string | null): { ownerId?: string } {
  if (typeof ownerId !== 'string' || ownerId === '' || ownerId === before) return {};
  return caller.platform ? { ownerId } : fail('FORBIDDEN', 'only platforms can transfer a game to another user');
}

/**
 * Updates the supplied fields of a game. Notifies current members of the change (`announceChange`), and new invitees of the invitation.
 * Creates missing repetitions. Existing repetitions stay unchanged.
 */
export function updateGame(
  context: Context,
  id: string,
  rawInput: Values,
  returning: readonly string[],
  ifVersion: number | null,
): Promise<RowOf<Game>> {
  const inputProblems = new Problems();
  inputProblems.try(() => valuesOf(metaOf(Game), rawInput));
  inputProblems.try(() => checkSameId(rawInput, id));
  const input = toStoredGame(rawInput);
  const { playerIds: _, invitedIds, invitedEmails, ownerId, ...plainValues } = input;
  const { sql, loaders } = context;
  return sql.transaction(async () => {
    if (inputProblems.list.length === 0) await lockAddresses(sql, stringsIn(input.invitedEmails));
    const game = await lockManagedGame(context, id);
    const before = invitationsOf(game);
    const newOwner = ownerOf(context, ownerId, game.ownerId);
    const places = placesOf(input, game);
    const times = instantsOf(plainValues, game);
    const isNew = (userId: string) => ![...game.invitedIds, ...game.declinedIds].includes(userId);
    const isNewPlayer = (userId: string) => ![...game.playerIds, ...game.waitingIds].includes(userId);
    await runAsyncChecks(
      () => inputProblems.throwIfAny(),
      () => checkGame(rawInput, times, changesPlaces(input) ? places : null, game),
      () => checkReferences(context, Game, rawInput, id),
      () => checkGroup(context, plainValues.groupId, { before: game.groupId }),
      async () => newOwner.ownerId && checkUser(sql, newOwner.ownerId, 'input.ownerId'),
      () => checkUsers(sql, stringsIn(invitedIds), 'input.invitedIds', isNew),
      () => checkUsers(sql, stringsIn(input.playerIds), 'input.playerIds', isNewPlayer),
    );
    const valuesWithTimes = { ...plainValues, ...times };
    const timeValues = { ...times, ...localTimes(valuesWithTimes, game), ...zoneOffset(valuesWithTimes, game) };
    // Only this statement increments the version, because the statements below belong to the same update.
    await update(context, Game, id, withUncheckedZone({ ...plainValues, ...timeValues }), ['id'], newOwner, { ifVersion });
    const title = String(plainValues.title ?? game.title ?? '') || 'a game';
    if (changesPlaces(input)) await rearrangePlaces(context, game, title, places);
    if (invitedIds !== undefined || invitedEmails !== undefined) {
      Object.assign(game, updatedInvitations(input, game));
      await sql.em.flush();
      await notifyInvitees(context, id, before);
    }
    await createOccurrences(sql, [id], new Date());
    loaders.clear();
    return entityToRow(await sql.em.findOneOrFail(Game, { id }, { refresh: true }), returning);
  });
}
