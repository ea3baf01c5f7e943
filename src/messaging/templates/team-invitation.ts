import type { Mail } from '../message.js';
import { quoted } from '../quoted.js';
import { letter } from './letter.js';

interface Invitation {
  to: string;
  /** Full name of the player who invites. */
  host: string;
  /** The event and the tournament. */
  entry: string;
}

/** Asks an address without an account whether its owner plays as a partner. */
export const teamInvitation = ({ to, host, entry }: Invitation): Mail =>
  letter({
    to,
    subject: 'A player asks you to be their partner in an event',
    paragraphs: [
      `${quoted(host)} has entered ${quoted(entry)} with you as their partner.`,
      'Sign in with this address, or register with it, to confirm or decline. Your place is reserved until then.',
    ],
    closing: 'You receive this because a player entered your address. No account was made.',
  });
