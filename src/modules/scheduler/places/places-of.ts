import { z } from 'zod';
import type { Values } from '../../../kernel/declare/fields/options.js';
import type { Places } from './places.js';

export const noPlaces: Places = {
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

/** Players and settings of the places of a game after an update with the input. Absent fields stay unchanged. Null clears a field. */
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

/** Whether an input affects the places. */
export const changesPlaces = (input: Values): boolean =>
  Object.keys(placeFields.shape).some((field) => input[field] !== undefined);
