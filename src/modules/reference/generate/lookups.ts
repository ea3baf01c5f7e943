import { countries } from './countries.js';
import { currencies } from './currencies.js';
import { type NumberedState, states } from './states.js';
import { type NumberedZone, timezones } from './timezones.js';

/** IDs that this repository assigned to rows. They never change. */
export interface Numbered {
  states: readonly NumberedState[];
  timezones: readonly NumberedZone[];
}

/** Lookups that are generated from packages, by file name. */
export const generatedLookups = (numbered: Numbered, year: number) => ({
  countries: countries(),
  currencies: currencies(),
  states: states(numbered.states),
  timezones: timezones(numbered.timezones, year),
});
