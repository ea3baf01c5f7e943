import type { Context } from '../../../kernel/declare/context.js';
import { reject } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { ownerRestrictionOf } from '../../../kernel/declare/policy/writers.js';
import { runAsyncChecks, runChecks } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { nonEmptyString, valuesOf } from '../../../kernel/write/input-values.js';
import { checkReferences } from '../../../kernel/write/references.js';
import { create } from '../../../kernel/write/save.js';
import { checkGroup } from '../groups/check-group-sql.js';
import { stringsIn } from '../invitations/invited-addresses.js';
import { lockAddresses } from '../invitations/lock-addresses-sql.js';
import { noInvitations, notifyInvitees } from '../invitations/notify-invitees.js';
import { createOccurrences } from '../occurrences/make-occurrences.js';
import { distributePlaces, emptyPlaces, placesOf } from '../places/places.js';
import { instantsOf, localTimes } from '../times/local-time.js';
import { zoneOffset } from '../times/zone-offset.js';
import { checkGame } from './check-game.js';
import { checkUser, checkUsers } from './check-users.js';
import { Game } from './game.js';
import { gameWriters } from './game-access.js';
import { toStoredGame, withUncheckedZone } from './stored-game.js';

/**
 * Returns the owner of a new game: the user in the input, or else the signed-in user. Platforms without a user token must specify the owner
 * (decision 32).
 */
function ownerOf({ caller: { user } }: Context, ownerId: unknown): string {
  return (
    nonEmptyString(ownerId) ?? user?.id ?? reject('input.ownerId', 'the id of the owner, because the request has no user token')
  );
}

/**
 * Schedules a game, and creates its invitations and first repetitions in the same transaction. With `acceptsLegacyValues`, accepts any
 * times, any time zone, any number of places, and unknown users, as `/v1` does.
 */
export function scheduleGame(
  context: Context,
  { ownerId: inputOwnerId, ...rawInput }: Values,
  acceptsLegacyValues: boolean,
  returning: readonly string[],
): Promise<RowOf<Game>> {
  const inputChecks = [
    () => ownerOf(context, inputOwnerId),
    () => valuesOf(metaOf(Game), { ownerId: inputOwnerId, ...rawInput }),
  ] as const;
  const legacyOwner = acceptsLegacyValues ? runChecks(...inputChecks)[0] : null;
  const input = toStoredGame(rawInput);
  const places = placesOf(input, emptyPlaces);
  const times = acceptsLegacyValues ? {} : instantsOf(input);
  return context.sql.transaction(async () => {
    const ownerRestriction = ownerRestrictionOf(gameWriters, context.caller);
    const checkInput = async (): Promise<string> => {
      const [ownerId] = await runAsyncChecks(
        ...inputChecks,
        () => checkGame(rawInput, times, places),
        () => checkReferences(context, Game, rawInput),
        () => checkGroup(context, input.groupId),
        async () => ownerRestriction || checkUser(context.sql, ownerOf(context, inputOwnerId), 'input.ownerId'),
        () => checkUsers(context.sql, stringsIn(input.invitedIds), 'input.invitedIds'),
        () => checkUsers(context.sql, places.playerIds, 'input.playerIds'),
      );
      return ownerId;
    };
    const ownerId = legacyOwner ?? (await checkInput());
    const { playerIds, waitingIds } = distributePlaces(places);
    if (acceptsLegacyValues) await checkGroup(context, input.groupId, { acceptsLegacyValues });
    await lockAddresses(context.sql, stringsIn(input.invitedEmails));
    const inputWithTimes = { ...input, ...times };
    const values = withUncheckedZone({ ...inputWithTimes, ...localTimes(inputWithTimes), ...zoneOffset(inputWithTimes) });
    const game = await create(context, Game, values, returning, { ownerId, playerIds, waitingIds }, { ownerRestriction });
    const id = String(game.id);
    await notifyInvitees(context, id, noInvitations);
    await createOccurrences(context.sql, [id], new Date());
    return game;
  });
}
