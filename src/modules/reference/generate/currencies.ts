import { currencies as listedCurrencies } from 'countries-list/currencies';

/** Currencies in countries-list that were withdrawn from ISO 4217. XCG now has the number of ANG. */
const withdrawnCodes = ['ANG', 'SLL', 'USS'];

/** Codes in ISO 4217 for testing and for "no currency". */
const specialCodes = ['XTS', 'XXX'];

/** Returns all currencies of ISO 4217. The ID is the numeric code, which never changes with package updates. */
export const currencies = () =>
  Object.entries(listedCurrencies)
    .filter(([code]) => ![...withdrawnCodes, ...specialCodes].includes(code))
    .map(([abbreviation, { name, numeric }]) => ({ id: String(Number(numeric)), title: name, abbreviation }));
