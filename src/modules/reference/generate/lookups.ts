import { countries } from './countries.js';
import { currencies } from './currencies.js';
import { type NumberedState, states } from './states.js';
import { type NumberedZone, timezones } from './timezones.js';

/** IDs that this repository assigned to rows. They never change. */
interface AssignedIds {
  states: readonly NumberedState[];
  timezones: readonly NumberedZone[];
}

/** Generates the rows of the reference data from packages, by file name. */
export const generatedLookups = (assignedIds: AssignedIds, year: number) => ({
  countries: countries(),
  currencies: currencies(),
  states: states(assignedIds.states),
  timezones: timezones(assignedIds.timezones, year),
});
