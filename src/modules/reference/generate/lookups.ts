import { countries } from './countries.js';
import { currencies } from './currencies.js';
import { states } from './states.js';
import { type NumberedZone, timezones } from './timezones.js';

/** The lookups that come from packages, by the name of their file. */
export const lookups = (zones: NumberedZone[], year: number) => ({
  countries: countries(),
  currencies: currencies(),
  states: states(),
  timezones: timezones(zones, year),
});
