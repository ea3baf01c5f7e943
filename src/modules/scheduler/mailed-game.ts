import type { Game } from './game.js';
import type { MailedGame } from './mail-invited.js';

/** A game that was read as an entity, as its mails describe it. */
export function mailedGame({ location, ...game }: Game): MailedGame {
  const { id, title, day, startsAt, timeZone, invitedAddresses, invitationKey } = game;
  const { venue, streetAddress, city, state } = location;
  return { id, title, day, startsAt, timeZone, invitedAddresses, invitationKey, venue, streetAddress, city, state };
}
