import type { Context } from '../../kernel/context.js';
import { reject } from '../../kernel/errors.js';
import { templates } from '../../messaging/ports.js';
import { type Delivery, sendToPlayers } from './send-to-players.js';

/** Sends a text message to the phones of players. */
export function sendLeagueMessage(context: Context, userIds: readonly string[], text: string): Promise<Delivery> {
  if (text.trim() === '') reject('text', 'a text that is not empty');
  return sendToPlayers(context, userIds, text, ({ phone }) => (phone ? templates.leagueText({ to: phone, text }) : null));
}
