import type { Context } from '../../kernel/declare/context.js';
import { allOf } from '../../kernel/declare/problems.js';
import { templates } from '../../messaging/ports.js';
import { checkText } from './check-text.js';
import { checkRecipients, type Delivery, sendToPlayers } from './send-to-players.js';

const longest = { title: 500, body: 100_000 } as const;

/** Sends an e-mail to players; the body is plain text. */
export function sendLeagueEmail(context: Context, userIds: readonly string[], title: string, body: string): Promise<Delivery> {
  allOf(
    () => checkRecipients(userIds),
    () => checkText('body', body, longest.body),
    () => title && checkText('title', title, longest.title),
  );
  const isTitleSubject = context.caller.platform !== null;
  return sendToPlayers(context, userIds, title || body, ({ email }) =>
    email ? templates.leagueMail({ to: email, title, body, isTitleSubject }) : null,
  );
}
