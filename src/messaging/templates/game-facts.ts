import { quotedText } from '../quote.js';

/** Properties of a game in mails to an invited address. */
export interface GameFacts {
  to: string;
  game: string;
  /** Start in the time zone of the game. */
  when?: string;
  where?: string;
  /** Link to the page of the invitation. */
  link?: string;
}

/** Paragraphs with the time and the place. */
export const gameFacts = ({ when, where }: GameFacts): string[] => [
  ...(when ? [`When: ${when}`] : []),
  ...(where ? [`Where: ${quotedText(where)}`] : []),
];

export const seeInvitation = ({ link }: GameFacts) => (link ? { label: 'View or decline the invitation', link } : undefined);

export const unsolicitedNotice =
  'You received this email because a player entered your email address. No account was created for you.';
