import type { Context } from '../../kernel/declare/context.js';
import type { Values, WriteKind } from '../../kernel/declare/options.js';
import { Problems } from '../../kernel/declare/problems.js';
import { divisionOf } from './division.js';

const isMissing = (id: unknown): boolean => id === undefined || id === null || id === '';

/** New points name their player and their event: together they are the key of the record (decision 21). */
function checkPoints({ id, playerId, eventId }: Values): void {
  const problems = new Problems();
  if (id === undefined && isMissing(playerId)) problems.add('input.playerId', 'the id of a player');
  if (id === undefined && isMissing(eventId)) problems.add('input.eventId', 'the id of an event');
  problems.refuse();
}

/** Checks new points, and reads the division from the title of the event. */
export function completePoints(values: Values, _: Context, write: WriteKind): Values {
  if (write !== 'update') checkPoints(values);
  const { eventTitle } = values;
  return eventTitle === undefined
    ? values
    : { ...values, division: divisionOf(typeof eventTitle === 'string' ? eventTitle : null) };
}
