import type { Mail } from '../message.js';
import { quotedText } from '../quote.js';
import { buildEmail } from './letter.js';

/** Properties of a game in emails to an invited address. */
interface GameFacts {
  to: string;
  game: string;
  /** Start time in the time zone of the game. */
  when?: string;
  where?: string;
  /** Link to the page of the invitation. */
  link?: string;
}

/** Paragraphs with the time and the place. */
const gameFacts = ({ when, where }: GameFacts): string[] => [
  ...(when ? [`When: ${when}`] : []),
  ...(where ? [`Where: ${quotedText(where)}`] : []),
];

const seeInvitation = ({ link }: GameFacts) => (link ? { label: 'View or decline the invitation', link } : undefined);

const unsolicitedNotice = 'You received this email because a player entered your email address. No account was created for you.';

/** Invites an address without an account to a game. `host` is the full name of the owner. */
export const gameInvitationMail = ({ host, ...facts }: GameFacts & { host: string }): Mail =>
  buildEmail({
    to: facts.to,
    subject: 'A player invites you to a game',
    paragraphs: [`${quotedText(host)} invites you to play: ${quotedText(facts.game)}.`, ...gameFacts(facts)],
    action: seeInvitation(facts),
    closing: unsolicitedNotice,
  });

/** Notifies an invited address that a game has changed. `changes` contains the names of the changed properties, such as `time`. */
export const gameChangeMail = ({ changes, ...facts }: GameFacts & { changes: readonly string[] }): Mail =>
  buildEmail({
    to: facts.to,
    subject: 'A game you were invited to has changed',
    paragraphs: [`${quotedText(facts.game)} has changed: ${changes.join(', ')}.`, ...gameFacts(facts)],
    action: seeInvitation(facts),
    closing: unsolicitedNotice,
  });

/** Notifies an invited address that a game was canceled. The email has no link, because the invitation page is deleted with the game. */
export const gameCancellationMail = (facts: GameFacts): Mail =>
  buildEmail({
    to: facts.to,
    subject: 'A game you were invited to was canceled',
    paragraphs: [`${quotedText(facts.game)} was canceled.`, ...gameFacts(facts)],
    closing: unsolicitedNotice,
  });

interface Invitation {
  to: string;
  /** Full name of the inviting player. */
  host: string;
  /** Names of the event and the tournament. */
  entry: string;
}

/** Asks a person without an account to confirm or decline an invitation to be the partner of a player. */
export const teamInvitationMail = ({ to, host, entry }: Invitation): Mail =>
  buildEmail({
    to,
    subject: 'A player invites you to be their partner',
    paragraphs: [
      `${quotedText(host)} has entered ${quotedText(entry)} with you as their partner.`,
      'To confirm or decline, sign in or register with this email address. Your place is reserved until then.',
    ],
    closing: unsolicitedNotice,
  });
