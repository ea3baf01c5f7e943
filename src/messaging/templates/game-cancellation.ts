import type { Mail } from '../message.js';
import { quotedText } from '../quote.js';
import { type GameFacts, gameFacts, unsolicitedNotice } from './game-facts.js';
import { letter } from './letter.js';

/** Notifies an invited address of a canceled game. The mail has no link, because the invitation page is deleted with the game. */
export const gameCancellation = (facts: GameFacts): Mail =>
  letter({
    to: facts.to,
    subject: 'A game you were invited to was canceled',
    paragraphs: [`${quotedText(facts.game)} was canceled.`, ...gameFacts(facts)],
    closing: unsolicitedNotice,
  });
