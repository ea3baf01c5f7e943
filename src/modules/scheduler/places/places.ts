import { z } from 'zod';
import { fail } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';

/** Players and waiting list of a game, and the settings that determine its places. */
export interface Places {
  playerIds: readonly string[];
  waitingIds: readonly string[];
  maxPlayers: number | null;
  hasWaitingList: boolean;
  isWaitingListManual: boolean;
}

/** Function that changes the places of a game for a user. */
export type PlacesChange = (places: Places, userId: string) => Places;

const withoutId = (ids: readonly string[], id: string) => ids.filter((other) => other !== id);

/** Returns the number of places in a game. Infinity if the number is not limited. */
export const placeCount = ({ maxPlayers }: Places): number =>
  maxPlayers !== null && maxPlayers > 0 ? Math.floor(maxPlayers) : Number.POSITIVE_INFINITY;

const freePlaces = (places: Places): number => Math.max(placeCount(places) - places.playerIds.length, 0);

/** Moves the first waiting users to free places, unless the waiting list is manual. */
function fillFreePlaces(places: Places): Places {
  if (places.isWaitingListManual) return places;
  const promotedIds = places.waitingIds.slice(0, freePlaces(places));
  return { ...places, playerIds: [...places.playerIds, ...promotedIds], waitingIds: places.waitingIds.slice(promotedIds.length) };
}

/**
 * Assigns places to the players, and removes duplicates. Players without a place move to the start of the waiting list. Throws CONFLICT if
 * there are such players and the game has no waiting list.
 */
export function distributePlaces(places: Places): Places {
  const players = [...new Set(places.playerIds)];
  const playerIds = players.slice(0, placeCount(places));
  const excessIds = players.slice(playerIds.length);
  if (excessIds.length > 0 && !places.hasWaitingList)
    fail('CONFLICT', 'there are more players than places, and the game has no waiting list');
  const waitingIds = places.waitingIds.filter((id) => !players.includes(id));
  return fillFreePlaces({ ...places, playerIds, waitingIds: [...excessIds, ...waitingIds] });
}

/**
 * Adds a user to the players, or to the end of the waiting list if the game is full. Moves a waiting user to a free place. No effect for
 * players. Throws CONFLICT if the game is full and has no waiting list.
 */
export function addPlayer(places: Places, userId: string): Places {
  const { playerIds, waitingIds, hasWaitingList } = places;
  if (playerIds.includes(userId)) return places;
  if (freePlaces(places) > 0) return { ...places, playerIds: [...playerIds, userId], waitingIds: withoutId(waitingIds, userId) };
  if (!hasWaitingList) fail('CONFLICT', 'the game is full');
  return waitingIds.includes(userId) ? places : { ...places, waitingIds: [...waitingIds, userId] };
}

/** Removes a user. The first waiting user gets the free place, unless the waiting list is manual. */
export const removePlayer = (places: Places, userId: string): Places =>
  fillFreePlaces({ ...places, playerIds: withoutId(places.playerIds, userId), waitingIds: withoutId(places.waitingIds, userId) });

export const emptyPlaces: Places = {
  playerIds: [],
  waitingIds: [],
  maxPlayers: null,
  hasWaitingList: false,
  isWaitingListManual: false,
};

/** Input fields that affect the places of a game. */
const placeFields = z.object({
  playerIds: z.array(z.string()).nullish(),
  maxPlayers: z.number().nullish(),
  hasWaitingList: z.boolean().nullish(),
  isWaitingListManual: z.boolean().nullish(),
});

/**
 * Returns the players and the settings of a game's places after an update. Fields that the input omits stay unchanged. Null clears a field.
 */
export function placesOf(input: Values, before: Places): Places {
  const { playerIds, maxPlayers, hasWaitingList, isWaitingListManual } = placeFields.parse(input);
  return {
    playerIds: playerIds === undefined ? before.playerIds : (playerIds ?? []),
    waitingIds: before.waitingIds,
    maxPlayers: maxPlayers === undefined ? before.maxPlayers : maxPlayers,
    hasWaitingList: hasWaitingList === undefined ? before.hasWaitingList : hasWaitingList === true,
    isWaitingListManual: isWaitingListManual === undefined ? before.isWaitingListManual : isWaitingListManual === true,
  };
}

export const changesPlaces = (input: Values): boolean =>
  Object.keys(placeFields.shape).some((field) => input[field] !== undefined);
