import { Problems } from '../../kernel/problems.js';
import type { Values } from '../../kernel/record.js';
import { divisionOf } from './division.js';

const isMissing = (id: unknown): boolean => id === undefined || id === null || id === '';

/** New points name their player and their event: together they are the key of the record (decision 21). */
export function checkPoints({ id, playerId, eventId }: Values): Values {
  const problems = new Problems();
  if (id === undefined && isMissing(playerId)) problems.add('input.playerId', 'the id of a player');
  if (id === undefined && isMissing(eventId)) problems.add('input.eventId', 'the id of an event');
  problems.refuse();
  return {};
}

/** Reads the division from the title of the event. */
export const completePoints = (values: Values): Values => ({
  ...values,
  ...(values.eventTitle === undefined
    ? {}
    : { division: divisionOf(typeof values.eventTitle === 'string' ? values.eventTitle : null) }),
});
