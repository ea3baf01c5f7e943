import type { Game } from '../games/game.js';
import type { MailedGame } from './mail-invited.js';

/** Converts a game entity to the data that mails use. */
export function mailedGame({ location, ...game }: Game): MailedGame {
  const { id, title, day, startsAt, timeZone, invitedAddresses, invitationKey } = game;
  const { venue, streetAddress, city, state } = location;
  return { id, title, day, startsAt, timeZone, invitedAddresses, invitationKey, venue, streetAddress, city, state };
}
