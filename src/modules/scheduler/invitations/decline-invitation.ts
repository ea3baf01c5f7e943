import { LockMode } from '@mikro-orm/core';
import { sql as raw } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import type { Session } from '../../../kernel/session.js';
import { clockTimestamp } from '../../../kernel/statement.js';
import { entityToRow, touchAnonymously } from '../../../kernel/write/entities.js';
import { Game } from '../games/game.js';
import { lockAnyGame, lockGame } from '../games/lock-game.js';
import { distinctAddresses } from './invited-addresses.js';
import { lockAddresses } from './lock-addresses-sql.js';
import { failInvitationGone, type GameInvitation, invitedAddress, invitedGame, mailedInvitation } from './mailed-invitation.js';
import { mailedGame } from './notify-invitees.js';

/** Invited user, invited address, or both if an invited address belongs to a user. */
interface Invitee {
  userId: string | null;
  address: string | null;
}

const lockOptions = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const;

/** Locks and returns a game's repetitions that have not started. Empty if the game is itself a repetition. */
async function lockUpcoming(sql: Session, { id, occursOn }: Game): Promise<Game[]> {
  if (occursOn) return [];
  const upcoming = await sql.run(
    sql.db
      .selectFrom('game')
      .select('id')
      .where('parent_id', '=', id)
      .where('occurs_on', 'is not', null)
      .where(raw<boolean>`coalesce(coalesce(starts_at, day) > ${clockTimestamp}, true)`),
  );
  return sql.em.find(Game, { id: { $in: upcoming.map((game) => game.id) } }, lockOptions);
}

/** Removes an invitee from the invitations of a locked game, and records that they declined. Returns false if there is no invitation. */
function removeInvitee(game: Game, { userId, address }: Invitee): boolean {
  const isById = userId !== null && game.invitedIds.includes(userId);
  const isByEmail = userId !== null && game.invitedByEmailIds.includes(userId);
  const isByAddress = address !== null && game.invitedAddresses.includes(address);
  const withoutUser = (ids: readonly string[]) => ids.filter((id) => id !== userId);
  if (isById) {
    game.invitedIds = withoutUser(game.invitedIds);
    game.declinedIds = [...withoutUser(game.declinedIds), userId];
  }
  if (isByEmail) game.invitedByEmailIds = withoutUser(game.invitedByEmailIds);
  if (isByAddress) {
    game.invitedEmails = game.invitedEmails.filter((email) => !distinctAddresses([email]).includes(address));
    game.invitedAddresses = game.invitedAddresses.filter((other) => other !== address);
    game.declinedEmails = [...game.declinedEmails.filter((other) => other !== address), address];
  }
  return isById || isByEmail || isByAddress;
}

/**
 * Declines the invitation to a game, and to its repetitions that have not started. Notifies the owner once. Returns false if there
 * is no invitation.
 */
async function decline(context: Context, game: Game, invitee: Invitee, userName: string): Promise<boolean> {
  const { sql, services, loaders } = context;
  const { userId, address } = invitee;
  const isMember = ({ playerIds, waitingIds }: Game) => userId !== null && [...playerIds, ...waitingIds].includes(userId);
  if (isMember(game)) fail('CONFLICT', 'the user is a player or on the waiting list of the game, and must opt out instead');
  // The owner of the game may see an invited address, but neither the name of the user with this address nor their new address.
  const invitedAddress = address !== null && game.invitedAddresses.includes(address) ? address : null;
  const inviteeName = userId !== null && game.invitedIds.includes(userId) ? userName : (invitedAddress ?? 'An invited player');
  if (!removeInvitee(game, invitee)) return false;
  touchAnonymously(game);
  for (const repetition of await lockUpcoming(sql, game))
    if (!isMember(repetition) && removeInvitee(repetition, invitee)) touchAnonymously(repetition);
  await services.notify(sql, [game.ownerId], {
    event: 'GAME_INVITATION_DECLINED',
    content: `${inviteeName} has declined the invitation to ${game.title || 'a game'}.`,
    subject: { kind: 'GAME', id: game.id },
  });
  await sql.em.flush();
  loaders.clear();
  return true;
}

/** Declines the invitation of a user who was invited by ID or by their verified address. Returns the changed game. */
export function declineForUser(context: Context, id: string, userId: string, returning: readonly string[]): Promise<RowOf<Game>> {
  const { sql } = context;
  return sql.transaction(async () => {
    const user = await sql.first(
      sql.db
        .selectFrom('app_user')
        .select(['email', 'verified_at as verifiedAt'])
        .select(raw<string>`concat_ws(' ', first_name, last_name)`.as('name'))
        .where('id', '=', userId),
    );
    if (!user) reject('userId', 'the id of a user');
    const address = user.verifiedAt ? user.email : null;
    await lockAddresses(sql, address ? [address] : []);
    const game = await (context.caller.user ? lockGame : lockAnyGame)(context, id);
    if (!(await decline(context, game, { userId, address }, user.name || 'A player')))
      fail('NOT_FOUND', 'the user is not invited to the game');
    return entityToRow(game, returning);
  });
}

/**
 * Declines the invitation that the link in an invitation email identifies. `value` is the value in this link. Returns the declined
 * invitation.
 */
export function declineMailedInvitation(context: Context, value: string): Promise<GameInvitation> {
  const { sql } = context;
  return sql.transaction(async () => {
    const unlockedGame = await invitedGame(sql, value);
    const address = invitedAddress(unlockedGame, value);
    await lockAddresses(sql, [address]);
    const game = (await sql.em.findOne(Game, { id: unlockedGame.id }, lockOptions)) ?? failInvitationGone();
    // The invitation may have been declined or withdrawn before the lock was granted.
    invitedAddress(mailedGame(game), value);
    const invitation = await mailedInvitation(sql, mailedGame(game));
    const user = await sql.first(
      sql.db.selectFrom('app_user').select('id').where('email', '=', address).where('verified_at', 'is not', null),
    );
    await decline(context, game, { userId: user?.id ?? null, address }, address);
    return invitation;
  });
}
