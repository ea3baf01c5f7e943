import type { Mail } from '../message.js';
import { quotedText } from '../quote.js';
import { type GameFacts, gameFacts, seeInvitation, unsolicitedNotice } from './game-facts.js';
import { letter } from './letter.js';

/** Notifies an invited address of a changed game. `changes` are names of the changed properties, such as `time`. */
export const gameChange = ({ changes, ...facts }: GameFacts & { changes: readonly string[] }): Mail =>
  letter({
    to: facts.to,
    subject: 'A game you were invited to has changed',
    paragraphs: [`${quotedText(facts.game)} has changed: ${changes.join(', ')}.`, ...gameFacts(facts)],
    action: seeInvitation(facts),
    closing: unsolicitedNotice,
  });
