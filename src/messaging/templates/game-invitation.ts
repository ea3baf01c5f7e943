import type { Mail } from '../message.js';
import { quotedText } from '../quote.js';
import { type GameFacts, gameFacts, seeInvitation, unsolicitedNotice } from './game-facts.js';
import { letter } from './letter.js';

/** Invites an address without an account to a game. `host` is the full name of the owner. */
export const gameInvitation = ({ host, ...facts }: GameFacts & { host: string }): Mail =>
  letter({
    to: facts.to,
    subject: 'A player invites you to a game',
    paragraphs: [`${quotedText(host)} invites you to play: ${quotedText(facts.game)}.`, ...gameFacts(facts)],
    action: seeInvitation(facts),
    closing: unsolicitedNotice,
  });
