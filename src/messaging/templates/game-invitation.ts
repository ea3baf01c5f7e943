import type { Mail } from '../message.js';
import { quoted } from '../quoted.js';
import { letter } from './letter.js';

interface Invitation {
  to: string;
  /** Full name of the player who invites. */
  host: string;
  game: string;
  /** When and where, as the reader should see it. */
  when?: string;
  where?: string;
  link?: string;
}

/** Invites an address without an account to a game. */
export const gameInvitation = ({ to, host, game, when, where, link }: Invitation): Mail =>
  letter({
    to,
    subject: 'A player invites you to a game',
    paragraphs: [
      `${quoted(host)} invites you to play: ${quoted(game)}.`,
      ...(when ? [`When: ${when}`] : []),
      ...(where ? [`Where: ${quoted(where)}`] : []),
    ],
    action: link ? { label: 'See the game', link } : undefined,
    closing: 'You receive this because a player entered your address. No account was made.',
  });
