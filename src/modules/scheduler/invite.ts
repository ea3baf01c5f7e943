import { LockMode } from '@mikro-orm/core';
import { type NotNull, sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import type { Session } from '../../kernel/session.js';
import { senderIn, templates } from '../../messaging/ports.js';
import { Game } from './game.js';
import { distinct } from './invited-addresses.js';
import { sayWhen } from './say-when.js';

/** Whom a game invites. */
export interface Invited {
  invitedIds: readonly string[];
  /** Folded. */
  invitedAddresses: readonly string[];
  /** Users behind the addresses. */
  invitedByEmailIds: readonly string[];
}

export const nobodyInvited: Invited = { invitedIds: [], invitedAddresses: [], invitedByEmailIds: [] };

/** Whom a game invites now, whatever becomes of it. */
export const invitedTo = ({ invitedIds, invitedAddresses, invitedByEmailIds }: Invited): Invited => ({
  invitedIds,
  invitedAddresses,
  invitedByEmailIds,
});

const knownBehind = (sql: Session, addresses: readonly string[]) =>
  sql.run(
    sql.db
      .selectFrom('app_user')
      .select(['id', 'email as address', 'verified_at as provenAt'])
      .where(raw<SqlBool>`email = any(${addresses})`)
      .$narrowType<{ address: NotNull }>()
      .orderBy('id'),
  );

/** Who invites, as the invited read it; `o` is the owner. */
export const hostName = raw<string>`coalesce(nullif(concat_ws(' ', o.first_name, o.last_name), ''), 'A player')`.as('host');

const hostOf = async (sql: Session, { id }: Game): Promise<string> => {
  const game = await sql.first(
    sql.db.selectFrom('game as g').leftJoin('app_user as o', 'o.id', 'g.owner_id').select(hostName).where('g.id', '=', id),
  );
  return game?.host ?? '';
};

/**
 * Invites whom a game names and did not name `before`: users, by id or by their address, get a notification; addresses that nobody has proven
 * to be theirs a mail, those that no user has as well as those of accounts that were never claimed. Their locks are held.
 */
export async function invite({ caller, sql, services }: Context, gameId: string, before: Invited): Promise<void> {
  // Read anew, because the same request has written it by a statement.
  const game = await sql.em.findOne(Game, { id: gameId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!game) return;
  const addresses = distinct(game.invitedEmails);
  const known = await knownBehind(sql, [...addresses, ...before.invitedAddresses]);
  const behind = known.filter(({ address }) => addresses.includes(address)).map(({ id }) => id);
  // Who has proven an address and has another one now stays invited.
  const gone = new Set(known.map(({ id }) => id).filter((id) => !behind.includes(id)));
  const invitedByEmailIds = [...new Set([...before.invitedByEmailIds.filter((id) => !gone.has(id)), ...behind])];
  Object.assign(game, { invitedAddresses: addresses, invitedByEmailIds });
  await sql.em.flush();
  const host = await hostOf(sql, game);
  const spared = new Set([game.ownerId, caller.user?.id, ...before.invitedIds, ...before.invitedByEmailIds]);
  const title = game.title || 'a game';
  await services.notify(
    sql,
    [...game.invitedIds, ...invitedByEmailIds].filter((id) => !spared.has(id)),
    { event: 'GAME_INVITATION', content: `${host} invites you to ${title}.`, subject: { kind: 'GAME', id: gameId } },
  );
  const proven = new Set(known.filter(({ provenAt }) => provenAt !== null).map(({ address }) => address));
  const written = addresses.filter((address) => !proven.has(address) && !before.invitedAddresses.includes(address));
  await services.outbox.enqueueAll(
    written.map((to) => templates.gameInvitation({ to, host, game: title, when: sayWhen(game) })),
    sql,
    senderIn(caller),
  );
}
