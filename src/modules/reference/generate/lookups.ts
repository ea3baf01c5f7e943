import { countries } from './countries.js';
import { currencies } from './currencies.js';
import { type NumberedState, states } from './states.js';
import { type NumberedZone, timezones } from './timezones.js';

/** The numbers that rows were given by us; they never change. */
export interface Numbered {
  states: readonly NumberedState[];
  timezones: readonly NumberedZone[];
}

/** The lookups that come from packages, by the name of their file. */
export const generatedLookups = (numbered: Numbered, year: number) => ({
  countries: countries(),
  currencies: currencies(),
  states: states(numbered.states),
  timezones: timezones(numbered.timezones, year),
});
