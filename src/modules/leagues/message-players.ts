import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import { runChecks } from '../../kernel/declare/problems.js';
import { isLongerThan } from '../../kernel/declare/scalars/text.js';
import { internationalNumber, type Message, senderIn, templates } from '../../messaging/ports.js';

/** Recipient of a message. */
interface Player {
  id: string;
  email: string | null;
  phone: string | null;
}

/** Number of recipients, and number of skipped players. */
export interface DeliveryCounts {
  recipients: number;
  skipped: number;
}

/** Maximum number of unknown IDs in an error message. */
const maxReportedIds = 50;

/** Returns a phone number in international format. Returns invalid numbers unchanged, because the SMS provider may accept them. */
const normalizePhone = async (phone: string | null, country: string | null) =>
  phone && ((await internationalNumber(phone, country)) ?? phone);

/** Throws BAD_INPUT for an empty list of recipients. */
function checkRecipients(userIds: readonly string[]): void {
  if (userIds.length === 0) reject('userIds', 'at least one id of a user');
}

/** Reads the users with these IDs, without duplicates. Throws BAD_INPUT with a list of unknown IDs. */
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
 * Enqueues one message for each player in a single transaction, so that either all messages are sent or none (decision 31). Skips players
 * who have reached their message limit, and players for whom `write` returns null because they have no address. Also notifies all players
 * (decision 27).
 */
const sendToPlayers = (
  context: Context,
  userIds: readonly string[],
  content: string,
  write: (player: Player) => Message | null,
): Promise<DeliveryCounts> =>
  context.sql.transaction(async () => {
    const { caller, client, services, sql } = context;
    const players = await playersOf(context, userIds);
    const messages = players.map(write).filter((message) => message !== null);
    const recipients = await services.outbox.enqueueAll(messages, sql, senderIn(caller));
    const playerIds = players.map(({ id }) => id);
    await services.notify(sql, playerIds, { event: 'LEAGUE_MESSAGE', content });
    const delivery = { recipients, skipped: players.length - recipients };
    services.log.info({ ...delivery, requestId: client.requestId }, 'league message enqueued');
    return delivery;
  });

/** Throws BAD_INPUT for `field` if the text is blank or longer than `maxLength` characters. */
function checkText(field: string, text: string, maxLength: number): void {
  if (text.trim() === '') reject(field, 'non-empty text');
  if (isLongerThan(text, maxLength)) reject(field, `at most ${maxLength} characters`);
}

/** Maximum lengths in characters. Phone networks truncate or reject longer text messages. */
const maxLength = { title: 500, body: 100_000, text: 1600 };

/** Sends an email to players. The body is plain text. */
export function sendLeagueEmail(
  context: Context,
  userIds: readonly string[],
  title: string,
  body: string,
): Promise<DeliveryCounts> {
  runChecks(
    () => checkRecipients(userIds),
    () => checkText('body', body, maxLength.body),
    () => title && checkText('title', title, maxLength.title),
  );
  const isTitleSubject = context.caller.user === null;
  return sendToPlayers(context, userIds, title || body, ({ email }) =>
    email ? templates.leagueMail({ to: email, title, body, isTitleSubject }) : null,
  );
}

/** Sends a text message to the phones of players. */
export function sendLeagueMessage(context: Context, userIds: readonly string[], text: string): Promise<DeliveryCounts> {
  runChecks(
    () => checkRecipients(userIds),
    () => checkText('text', text, maxLength.text),
  );
  return sendToPlayers(context, userIds, text, ({ phone }) => (phone ? templates.leagueText({ to: phone, text }) : null));
}
