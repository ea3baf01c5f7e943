import type { Context } from '../../kernel/declare/context.js';
import { runChecks } from '../../kernel/declare/problems.js';
import { templates } from '../../messaging/ports.js';
import { checkText } from './check-text.js';
import { checkRecipients, type Delivery, sendToPlayers } from './send-to-players.js';

/** Maximum length in characters. Phone networks truncate or reject longer messages. */
const maxLength = 1600;

/** Sends a text message to the phones of players. */
export function sendLeagueMessage(context: Context, userIds: readonly string[], text: string): Promise<Delivery> {
  runChecks(
    () => checkRecipients(userIds),
    () => checkText('text', text, maxLength),
  );
  return sendToPlayers(context, userIds, text, ({ phone }) => (phone ? templates.leagueText({ to: phone, text }) : null));
}
