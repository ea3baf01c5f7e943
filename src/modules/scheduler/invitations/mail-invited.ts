import { type NotNull, sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { Session } from '../../../kernel/session.js';
import { type Mail, senderIn, type templates } from '../../../messaging/ports.js';
import { formatAddress, formatStart } from '../times/format-game.js';
import { invitationLink } from './invitation-link.js';

/** Game columns that emails about the game use, for Kysely queries. */
export const mailColumns = [
  'id',
  'title',
  'day',
  'starts_at as startsAt',
  'time_zone as timeZone',
  'location_venue as venue',
  'location_street_address as streetAddress',
  'location_city as city',
  'location_state as state',
  'invited_addresses as invitedAddresses',
  'invitation_key as invitationKey',
] as const;

/** Game data that emails about the game use. */
export interface MailedGame {
  id: string;
  title: string | null;
  day: string | null;
  startsAt: string | null;
  timeZone: string | null;
  venue: string | null;
  streetAddress: string | null;
  city: string | null;
  state: string | null;
  invitedAddresses: string[];
  invitationKey: string;
}

/** Values for the templates of emails about a game: recipient, title, time, location and link. */
type MailValues = Parameters<typeof templates.gameCancellationMail>[0];

export const mailValues = (context: Context, game: MailedGame, to: string): MailValues => ({
  to,
  game: game.title || 'a game',
  when: formatStart(game),
  where: formatAddress(game),
  link: invitationLink(context, game, to),
});

/** Reads the users with these addresses. `verifiedAt` is null for unverified addresses. */
export const usersByAddress = (sql: Session, addresses: readonly string[]) =>
  sql.run(
    sql.db
      .selectFrom('app_user')
      .select(['id', 'email as address', 'verified_at as verifiedAt'])
      .where(raw<SqlBool>`email = any(${addresses})`)
      .$narrowType<{ address: NotNull }>()
      .orderBy('id'),
  );

/**
 * Sends one email to each invited address of the games. Skips addresses that a user has verified, because these users get notifications.
 * Skips emails that exceed the rate limits of the sender or of the address.
 */
export async function mailInvitedAddresses(
  context: Context,
  games: readonly MailedGame[],
  template: (values: MailValues) => Mail,
): Promise<void> {
  const { caller, sql, services } = context;
  const byAddress = new Map(
    games.toReversed().flatMap((game) => game.invitedAddresses.map((address) => [address, game] as const)),
  );
  if (byAddress.size === 0) return;
  for (const { address, verifiedAt } of await usersByAddress(sql, [...byAddress.keys()]))
    if (verifiedAt) byAddress.delete(address);
  const mails = [...byAddress].map(([address, game]) => template(mailValues(context, game, address)));
  await services.outbox.enqueuePermitted(mails, sql, senderIn(caller));
}
