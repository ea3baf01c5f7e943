import type { Mail } from '../message.js';
import { quotedText } from '../quote.js';
import { reasonText } from './game-facts.js';
import { letter } from './letter.js';

interface Invitation {
  to: string;
  /** Full name of the player who invites. */
  host: string;
  /** The event and the tournament. */
  entry: string;
}

/** Asks the owner of an address without an account to confirm or decline being a partner. */
export const teamInvitation = ({ to, host, entry }: Invitation): Mail =>
  letter({
    to,
    subject: 'A player invites you to be their partner',
    paragraphs: [
      `${quotedText(host)} has entered ${quotedText(entry)} with you as their partner.`,
      'To confirm or decline, sign in or register with this email address. Your place is reserved until then.',
    ],
    closing: reasonText,
  });
