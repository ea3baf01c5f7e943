import type { Mail, Text } from '../message.js';
import { letter } from './letter.js';

/** What a league writes to a player's phone. */
export const leagueText = ({ to, text }: { to: string; text: string }): Text => ({ kind: 'text', to, body: text });

/** What a league writes to a player's mailbox; the body is plain text. */
export const leagueMail = ({ to, title, body }: { to: string; title: string; body: string }): Mail =>
  letter({ to, subject: title, paragraphs: [body] });
