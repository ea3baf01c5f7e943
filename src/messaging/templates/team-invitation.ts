import type { Mail } from '../message.js';
import { quotedText } from '../quote.js';
import { unsolicitedNotice } from './game-facts.js';
import { letter } from './letter.js';

interface Invitation {
  to: string;
  /** Full name of the inviting player. */
  host: string;
  /** Names of the event and the tournament. */
  entry: string;
}

/** Asks a person without an account to confirm or decline to be the partner of a player. */
export const teamInvitation = ({ to, host, entry }: Invitation): Mail =>
  letter({
    to,
    subject: 'A player invites you to be their partner',
    paragraphs: [
      `${quotedText(host)} has entered ${quotedText(entry)} with you as their partner.`,
      'To confirm or decline, sign in or register with this email address. Your place is reserved until then.',
    ],
    closing: unsolicitedNotice,
  });
