import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import { internationalNumber, type Message, senderIn } from '../../messaging/ports.js';
import { notifyLeaguePlayers } from './notify-league-players.js';

/** Recipient of a message. */
export interface Player {
  id: string;
  email: string | null;
  phone: string | null;
}

/** Numbers of recipients and of skipped players. */
export interface Delivery {
  recipients: number;
  skipped: number;
}

/** Maximum number of unknown IDs in an error message. */
const maxReportedIds = 50;

/** Phone number in international format. Invalid numbers are returned unchanged, because the sending provider may accept them. */
const normalizePhone = async (phone: string | null, country: string | null) =>
  phone && ((await internationalNumber(phone, country)) ?? phone);

/** Throws BAD_INPUT for an empty list of recipients. */
export function checkRecipients(userIds: readonly string[]): void {
  if (userIds.length === 0) reject('userIds', 'at least one id of a user');
}

/** Reads the users with these IDs, without duplicates. Throws BAD_INPUT that lists unknown IDs. */
async function playersOf({ sql }: Context, userIds: readonly string[]): Promise<Player[]> {
  const ids = [...new Set(userIds)];
  const rows = await sql.run(
    sql.db
      .selectFrom('app_user as u')
      .leftJoin('country as c', (join) =>
        join.on(({ eb, fn }) => eb('c.id', '=', fn.coalesce('u.phone_country_id', 'u.country_id'))),
      )
      .select(['u.id', 'u.email', 'u.phone', 'c.alpha2 as country'])
      .where(raw<SqlBool>`u.id = any(${ids})`),
  );
  const playerPromises = rows.map(async ({ country, phone, ...player }) => ({
    ...player,
    phone: await normalizePhone(phone, country),
  }));
  const players = new Map((await Promise.all(playerPromises)).map((player) => [player.id, player]));
  const unknownIds = ids.filter((id) => !players.has(id));
  if (unknownIds.length) reject('userIds', `ids of users; there is no user ${unknownIds.slice(0, maxReportedIds).join(', ')}`);
  return ids.flatMap((id) => players.get(id) ?? []);
}

/**
 * Enqueues one message for each player in one transaction: all messages are sent, or none (decision 31). `write` returns null for a player without
 * an address for the message. Skips these players, and players who reached their message limit. Logs their number.
 */
export const sendToPlayers = (
  context: Context,
  userIds: readonly string[],
  text: string,
  write: (player: Player) => Message | null,
): Promise<Delivery> =>
  context.sql.transaction(async () => {
    const players = await playersOf(context, userIds);
    const messages = players.map(write).filter((message) => message !== null);
    const recipients = await context.services.outbox.enqueueAll(messages, context.sql, senderIn(context.caller));
    await notifyLeaguePlayers(context, players, text);
    const delivery = { recipients, skipped: players.length - recipients };
    context.services.log.info({ ...delivery, requestId: context.client.requestId }, 'league message enqueued');
    return delivery;
  });
