import type { Context } from '../../kernel/declare/context.js';
import { runChecks } from '../../kernel/declare/problems.js';
import { templates } from '../../messaging/ports.js';
import { checkText } from './check-text.js';
import { checkRecipients, type Delivery, sendToPlayers } from './send-to-players.js';

const maxLength = { title: 500, body: 100_000 } as const;

/** Sends an e-mail to players. The body is plain text. */
export function sendLeagueEmail(context: Context, userIds: readonly string[], title: string, body: string): Promise<Delivery> {
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
