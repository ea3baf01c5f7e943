import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { Problems, runAsyncChecks } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row-of.js';
import { checkSameId } from '../../../kernel/write/column-values.js';
import { entityToRow } from '../../../kernel/write/entities.js';
import { valuesOf } from '../../../kernel/write/input-values.js';
import { checkReferences } from '../../../kernel/write/references.js';
import { update } from '../../../kernel/write/save.js';
import { checkGroup } from '../groups/check-group-sql.js';
import { invitationsOf, invite } from '../invitations/invite.js';
import { addressesIn, invitedIn } from '../invitations/invited-addresses.js';
import { lockAddresses } from '../invitations/lock-addresses-sql.js';
import { makeOccurrences } from '../occurrences/make-occurrences.js';
import { changesPlaces, placesOf } from '../places/places-of.js';
import { rearrangePlaces } from '../places/rearrange-places.js';
import { instantsOf, localTimes } from '../times/local-time.js';
import { zoneOffset } from '../times/zone-offset.js';
import { checkGame } from './check-game.js';
import { checkUser, checkUsers } from './check-users.js';
import { Game } from './game.js';
import { lockManagedGame } from './lock-game.js';
import { storedGame, withAnyZone } from './stored-game.js';

/** Owner of a game after an update. Only platforms can change the owner. An absent owner does not change. */
function ownerOf({ caller }: Context, ownerId: unknown, before: string | null): { ownerId?: string } {
  if (typeof ownerId !== 'string' || ownerId === '' || ownerId === before) return {};
  return caller.platform ? { ownerId } : fail('FORBIDDEN', 'only platforms can transfer a game to another user');
}

/**
 * Updates the fields of a game that the input contains. Notifies current members of the change (`announceChange`) and new invitees of the invitation. Creates missing
 * repetitions. Existing repetitions do not change.
 */
export function updateGame(
  context: Context,
  id: string,
  rawInput: Values,
  returning: readonly string[],
  ifVersion: number | null,
): Promise<RowOf<Game>> {
  const malformed = new Problems();
  malformed.try(() => valuesOf(metaOf(Game), rawInput));
  malformed.try(() => checkSameId(rawInput, id));
  const input = storedGame(rawInput);
  const { playerIds: _, invitedIds, invitedEmails, ownerId, ...plainValues } = input;
  const { sql, loaders } = context;
  return sql.transaction(async () => {
    if (malformed.list.length === 0) await lockAddresses(sql, addressesIn(input.invitedEmails));
    const game = await lockManagedGame(context, id);
    const before = invitationsOf(game);
    const owner = ownerOf(context, ownerId, game.ownerId);
    const places = placesOf(input, game);
    const times = instantsOf(plainValues, game);
    const isNew = (userId: string) => ![...game.invitedIds, ...game.declinedIds].includes(userId);
    const isNewPlayer = (userId: string) => ![...game.playerIds, ...game.waitingIds].includes(userId);
    await runAsyncChecks(
      () => malformed.throwIfAny(),
      () => checkGame(rawInput, times, changesPlaces(input) ? places : null, game),
      () => checkReferences(context, Game, rawInput, id),
      () => checkGroup(context, plainValues.groupId, { before: game.groupId }),
      async () => owner.ownerId && checkUser(sql, owner.ownerId, 'input.ownerId'),
      () => checkUsers(sql, addressesIn(invitedIds), 'input.invitedIds', isNew),
      () => checkUsers(sql, addressesIn(input.playerIds), 'input.playerIds', isNewPlayer),
    );
    const valuesWithTimes = { ...plainValues, ...times };
    const timeValues = { ...times, ...localTimes(valuesWithTimes, game), ...zoneOffset(valuesWithTimes, game) };
    // Only this statement increments the version. The statements below belong to the same change.
    await update(context, Game, id, withAnyZone({ ...plainValues, ...timeValues }), ['id'], owner, { ifVersion });
    const title = String(plainValues.title ?? game.title ?? '') || 'a game';
    if (changesPlaces(input)) await rearrangePlaces(context, game, title, places);
    if (invitedIds !== undefined || invitedEmails !== undefined) {
      Object.assign(game, invitedIn(input, game));
      await sql.em.flush();
      await invite(context, id, before);
    }
    await makeOccurrences(sql, [id], new Date());
    loaders.clear();
    return entityToRow(await sql.em.findOneOrFail(Game, { id }, { refresh: true }), returning);
  });
}
