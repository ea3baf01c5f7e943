import { currencies as listedCurrencies } from 'countries-list/currencies';
import { countries } from './countries.js';
import { type NumberedState, states } from './states.js';
import { type NumberedZone, timezones } from './timezones.js';

/** Currencies in countries-list that were withdrawn from ISO 4217. XCG has taken over the number of ANG. */
const withdrawnCodes = ['ANG', 'SLL', 'USS'];

/** Codes in ISO 4217 for testing and for "no currency". */
const specialCodes = ['XTS', 'XXX'];

/** Returns all currencies of ISO 4217. The ID is the numeric code, which never changes with package updates. */
const currencies = () =>
  Object.entries(listedCurrencies)
    .filter(([code]) => ![...withdrawnCodes, ...specialCodes].includes(code))
    .map(([abbreviation, { name, numeric }]) => ({ id: String(Number(numeric)), title: name, abbreviation }));

/** IDs that this repository assigned to rows. They never change. */
interface AssignedIds {
  states: readonly NumberedState[];
  timezones: readonly NumberedZone[];
}

/** Generates the rows of the reference data from packages, keyed by file name. */
export const generatedLookups = (assignedIds: AssignedIds, year: number) => ({
  countries: countries(),
  currencies: currencies(),
  states: states(assignedIds.states),
  timezones: timezones(assignedIds.timezones, year),
});
