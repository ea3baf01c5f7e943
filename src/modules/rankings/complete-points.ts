import type { Values, WriteKind } from '../../kernel/declare/fields/options.js';
import { Problems } from '../../kernel/declare/problems.js';
import { divisionOf } from './division.js';

const isMissing = (id: unknown): boolean => id === undefined || id === null || id === '';

/** Rejects new points without an ID that lack the player or the event. Both form the natural key of the record (decision 21). */
export function checkPoints({ id, playerId, eventId }: Values, write: WriteKind): void {
  if (write === 'update' || id !== undefined) return;
  const problems = new Problems();
  if (isMissing(playerId)) problems.add('input.playerId', 'the id of a player');
  if (isMissing(eventId)) problems.add('input.eventId', 'the id of an event');
  problems.throwIfAny();
}

/** Sets the division from the title of the event. */
export function completePoints({ eventTitle, ...values }: Values): Values {
  return eventTitle === undefined
    ? values
    : { ...values, eventTitle, division: divisionOf(typeof eventTitle === 'string' ? eventTitle : null) };
}
