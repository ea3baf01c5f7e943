import type { Context } from '../../kernel/context.js';
import { reject } from '../../kernel/errors.js';
import { templates } from '../../messaging/ports.js';
import { type Delivery, sendToPlayers } from './send-to-players.js';

/** Sends an e-mail to players; the body is plain text. */
export function sendLeagueEmail(context: Context, userIds: readonly string[], title: string, body: string): Promise<Delivery> {
  if (body.trim() === '') reject('body', 'a text that is not empty');
  return sendToPlayers(context, userIds, title || body, ({ email }) =>
    email ? templates.leagueMail({ to: email, title, body }) : null,
  );
}
