import { LockMode } from '@mikro-orm/core';
import { sql as raw } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { Session } from '../../../kernel/session.js';
import { senderIn, templates } from '../../../messaging/ports.js';
import { Game } from '../games/game.js';
import { distinctAddresses } from './invited-addresses.js';
import { mailFacts, usersWith } from './mail-invited.js';
import { mailedGame } from './mailed-game.js';

/** Invited users and addresses of a game. */
export interface Invitations {
  invitedIds: readonly string[];
  /** In lower case. */
  invitedAddresses: readonly string[];
  /** Users with the addresses. */
  invitedByEmailIds: readonly string[];
}

export const noInvitations: Invitations = { invitedIds: [], invitedAddresses: [], invitedByEmailIds: [] };

/** Copy of the current invitations, which does not change with the game. */
export const invitationsOf = ({ invitedIds, invitedAddresses, invitedByEmailIds }: Invitations): Invitations => ({
  invitedIds,
  invitedAddresses,
  invitedByEmailIds,
});

/** SQL of the name of the owner, aliased `o`, for invitations. */
export const ownerNameSql = raw<string>`coalesce(nullif(concat_ws(' ', o.first_name, o.last_name), ''), 'A player')`.as('host');

/** Full name of the owner of a game. */
export const ownerName = async (sql: Session, { id }: Pick<Game, 'id'>): Promise<string> => {
  const game = await sql.first(
    sql.db.selectFrom('game as g').leftJoin('app_user as o', 'o.id', 'g.owner_id').select(ownerNameSql).where('g.id', '=', id),
  );
  return game?.host ?? '';
};

/**
 * Notifies the invitees of a game that are not in `before`. Users, invited by ID or by a verified address, get a notification. Addresses without a
 * verified user get a mail. The caller must hold the locks of the addresses.
 */
export async function invite(context: Context, gameId: string, before: Invitations): Promise<void> {
  const { caller, sql, services } = context;
  // Read again, because the same request has changed it with an SQL statement.
  const game = await sql.em.findOne(Game, { id: gameId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!game) return;
  const addresses = distinctAddresses(game.invitedEmails);
  const users = await usersWith(sql, [...addresses, ...before.invitedAddresses]);
  const invitedUserIds = users.filter(({ address }) => addresses.includes(address)).map(({ id }) => id);
  // A user who verified an invited address stays invited after changing their address.
  const removedUserIds = new Set(users.map(({ id }) => id).filter((id) => !invitedUserIds.includes(id)));
  const invitedByEmailIds = [
    ...new Set([...before.invitedByEmailIds.filter((id) => !removedUserIds.has(id)), ...invitedUserIds]),
  ];
  Object.assign(game, { invitedAddresses: addresses, invitedByEmailIds });
  await sql.em.flush();
  const host = await ownerName(sql, game);
  const excluded = new Set([game.ownerId, caller.user?.id, ...before.invitedIds, ...before.invitedByEmailIds]);
  const title = game.title || 'a game';
  await services.notify(
    sql,
    [...game.invitedIds, ...invitedByEmailIds].filter((id) => !excluded.has(id)),
    { event: 'GAME_INVITATION', content: `${host} invites you to ${title}.`, subject: { kind: 'GAME', id: gameId } },
  );
  const verified = new Set(users.filter(({ verifiedAt }) => verifiedAt !== null).map(({ address }) => address));
  const recipients = addresses.filter((address) => !verified.has(address) && !before.invitedAddresses.includes(address));
  const gameForMail = mailedGame(game);
  await services.outbox.enqueueAll(
    recipients.map((address) => templates.gameInvitation({ host, ...mailFacts(context, gameForMail, address) })),
    sql,
    senderIn(caller),
  );
}
