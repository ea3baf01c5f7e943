import { fail } from '../../kernel/errors.js';

/** Who plays in a game and who waits, and the rules of the game about it. */
export interface Places {
  playerIds: readonly string[];
  waitingIds: readonly string[];
  maxPlayers: number | null;
  hasWaitingList: boolean;
  isWaitingListManual: boolean;
}

const without = (ids: readonly string[], id: string) => ids.filter((other) => other !== id);

/** How many places are free. */
const free = ({ maxPlayers, playerIds }: Places): number => (maxPlayers ? Math.max(maxPlayers - playerIds.length, 0) : Infinity);

/** A user opts in: gets a place, or the last one in the waiting list. Nothing changes for who plays or waits already. */
export function joined(places: Places, userId: string): Places {
  const { playerIds, waitingIds, hasWaitingList } = places;
  if (playerIds.includes(userId)) return places;
  if (free(places) > 0) return { ...places, playerIds: [...playerIds, userId], waitingIds: without(waitingIds, userId) };
  if (!hasWaitingList) fail('CONFLICT', 'the game is full');
  return waitingIds.includes(userId) ? places : { ...places, waitingIds: [...waitingIds, userId] };
}

/** A user opts out; who waits longest moves up, unless the owner of the game sees to that. */
export function left(before: Places, userId: string): Places {
  const places = { ...before, playerIds: without(before.playerIds, userId), waitingIds: without(before.waitingIds, userId) };
  if (places.isWaitingListManual) return places;
  const moving = places.waitingIds.slice(0, free(places));
  return { ...places, playerIds: [...places.playerIds, ...moving], waitingIds: places.waitingIds.slice(moving.length) };
}
