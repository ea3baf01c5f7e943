import { LockMode } from '@mikro-orm/core';
import { sql as raw } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { Session } from '../../../kernel/session.js';
import { senderIn, templates } from '../../../messaging/ports.js';
import { Game } from '../games/game.js';
import { distinctAddresses } from './invited-addresses.js';
import { type MailedGame, mailValues, usersByAddress } from './mail-invited.js';

/** Invited users and addresses of a game. */
export interface Invitations {
  invitedIds: readonly string[];
  /** Invited addresses in lower case. */
  invitedAddresses: readonly string[];
  /** IDs of the users whose addresses were invited. */
  invitedByEmailIds: readonly string[];
}

export const noInvitations: Invitations = { invitedIds: [], invitedAddresses: [], invitedByEmailIds: [] };

/** Returns a snapshot of the invitations of a game. Later changes to the game do not affect the snapshot. */
export const invitationsOf = ({ invitedIds, invitedAddresses, invitedByEmailIds }: Invitations): Invitations => ({
  invitedIds,
  invitedAddresses,
  invitedByEmailIds,
});

/** SQL expression for the name of the owner `o`, in the column `host`. */
export const ownerNameSql = raw<string>`coalesce(nullif(concat_ws(' ', o.first_name, o.last_name), ''), 'A player')`.as('host');

/** Reads the full name of a game's owner, or `A player` if the owner has no name. Empty if the game does not exist. */
export const ownerName = async (sql: Session, { id }: Pick<Game, 'id'>): Promise<string> => {
  const game = await sql.first(
    sql.db.selectFrom('game as g').leftJoin('app_user as o', 'o.id', 'g.owner_id').select(ownerNameSql).where('g.id', '=', id),
  );
  return game?.host ?? '';
};

/**
 * Notifies the invitees of a game who are not in `before`. Users who are invited by ID or by a verified address get a notification.
 * Addresses without a verified user get an email. The caller must have locked the addresses.
 */
export async function notifyInvitees(context: Context, gameId: string, before: Invitations): Promise<void> {
  const { caller, sql, services } = context;
  // Reloads the entity, because an SQL statement of the same request has changed the row.
  const game = await sql.em.findOne(Game, { id: gameId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!game) return;
  const addresses = distinctAddresses(game.invitedEmails);
  const users = await usersByAddress(sql, [...addresses, ...before.invitedAddresses]);
  const verifiedUsers = users.filter(({ verifiedAt }) => verifiedAt !== null);
  const invitedUserIds = verifiedUsers.filter(({ address }) => addresses.includes(address)).map(({ id }) => id);
  // A user who verified an invited address stays invited after changing their address, until no invited address remains.
  const removedUserIds = new Set(users.map(({ id }) => id).filter((id) => !invitedUserIds.includes(id)));
  const remainingIds = addresses.length === 0 ? [] : before.invitedByEmailIds.filter((id) => !removedUserIds.has(id));
  const invitedByEmailIds = [...new Set([...remainingIds, ...invitedUserIds])];
  Object.assign(game, { invitedAddresses: addresses, invitedByEmailIds });
  await sql.em.flush();
  const host = await ownerName(sql, game);
  const excludedIds = new Set([game.ownerId, caller.user?.id, ...before.invitedIds, ...before.invitedByEmailIds]);
  const title = game.title || 'a game';
  await services.notify(
    sql,
    [...game.invitedIds, ...invitedByEmailIds].filter((id) => !excludedIds.has(id)),
    { event: 'GAME_INVITATION', content: `${host} invites you to ${title}.`, subject: { kind: 'GAME', id: gameId } },
  );
  const verifiedAddresses = new Set(verifiedUsers.map(({ address }) => address));
  const recipients = addresses.filter((address) => !verifiedAddresses.has(address) && !before.invitedAddresses.includes(address));
  const gameForMail = mailedGame(game);
  await services.outbox.enqueueAll(
    recipients.map((address) => templates.gameInvitationMail({ host, ...mailValues(context, gameForMail, address) })),
    sql,
    senderIn(caller),
  );
}

/** Converts a game entity to the data that emails use. */
export function mailedGame({ location, ...game }: Game): MailedGame {
  const { id, title, day, startsAt, timeZone, invitedAddresses, invitationKey } = game;
  const { venue, streetAddress, city, state } = location;
  return { id, title, day, startsAt, timeZone, invitedAddresses, invitationKey, venue, streetAddress, city, state };
}
