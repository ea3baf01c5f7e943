import { reject } from '../../kernel/errors.js';
import type { Values } from '../../kernel/record.js';
import { divisionOf } from './division.js';

const isMissing = (id: unknown): boolean => id === undefined || id === null || id === '';

/** New points name their player and their event: together they are the key of the record (decision 21). */
export function checkPoints({ id, playerId, eventId }: Values): Values {
  if (id === undefined && isMissing(playerId)) reject('playerId', 'the id of a player');
  if (id === undefined && isMissing(eventId)) reject('eventId', 'the id of an event');
  return {};
}

/** Reads the division from the title of the event. */
export const completePoints = (values: Values): Values => ({
  ...values,
  ...(values.eventTitle === undefined
    ? {}
    : { division: divisionOf(typeof values.eventTitle === 'string' ? values.eventTitle : null) }),
});
