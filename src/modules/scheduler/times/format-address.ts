import type { Place } from '../../reference/records/place.js';

/** Venue and address of a game on one line. Undefined if it has none. */
export function formatAddress({ venue, streetAddress, city, state }: Pick<Place, 'venue' | 'streetAddress' | 'city' | 'state'>) {
  return [venue, streetAddress, city, state].filter(Boolean).join(', ') || undefined;
}
