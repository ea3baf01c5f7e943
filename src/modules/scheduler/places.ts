import { fail } from '../../kernel/declare/errors.js';

/** Who plays in a game and who waits, and the rules of the game about it. */
export interface Places {
  playerIds: readonly string[];
  waitingIds: readonly string[];
  maxPlayers: number | null;
  hasWaitingList: boolean;
  isWaitingListManual: boolean;
}

const without = (ids: readonly string[], id: string) => ids.filter((other) => other !== id);

/** How many places there are; a game without a number of them has room for everybody. */
export const seats = ({ maxPlayers }: Places): number =>
  maxPlayers !== null && maxPlayers > 0 ? Math.floor(maxPlayers) : Number.POSITIVE_INFINITY;

/** How many places are free. */
const free = (places: Places): number => Math.max(seats(places) - places.playerIds.length, 0);

/** Who waits longest gets what is free, unless the owner of the game sees to that. */
function filled(places: Places): Places {
  if (places.isWaitingListManual) return places;
  const moving = places.waitingIds.slice(0, free(places));
  return { ...places, playerIds: [...places.playerIds, ...moving], waitingIds: places.waitingIds.slice(moving.length) };
}

/**
 * The places of a game whose players are given in a list: each is one player however often they are named, and those beyond the last place wait,
 * before who waits already; CONFLICT where nobody waits.
 */
export function arranged(places: Places): Places {
  const players = [...new Set(places.playerIds)];
  const playerIds = players.slice(0, seats(places));
  const beyond = players.slice(playerIds.length);
  if (beyond.length > 0 && !places.hasWaitingList)
    fail('CONFLICT', 'there are more players than places, and nobody waits for one');
  const waitingIds = places.waitingIds.filter((id) => !players.includes(id));
  return filled({ ...places, playerIds, waitingIds: [...beyond, ...waitingIds] });
}

/** A user opts in: gets a place, or the last one in the waiting list. Nothing changes for who plays or waits already. */
export function joined(places: Places, userId: string): Places {
  const { playerIds, waitingIds, hasWaitingList } = places;
  if (playerIds.includes(userId)) return places;
  if (free(places) > 0) return { ...places, playerIds: [...playerIds, userId], waitingIds: without(waitingIds, userId) };
  if (!hasWaitingList) fail('CONFLICT', 'the game is full');
  return waitingIds.includes(userId) ? places : { ...places, waitingIds: [...waitingIds, userId] };
}

/** A user opts out; who waits longest moves up, unless the owner of the game sees to that. */
export const left = (places: Places, userId: string): Places =>
  filled({ ...places, playerIds: without(places.playerIds, userId), waitingIds: without(places.waitingIds, userId) });
