import { currencies as listed } from 'countries-list/currencies';

/** Currencies in countries-list that were withdrawn from ISO 4217. XCG has the number of ANG now. */
const withdrawn = ['ANG', 'SLL', 'USS'];

/** Codes in ISO 4217 for testing and for "no currency". */
const notMoney = ['XTS', 'XXX'];

/** All currencies of ISO 4217. The ID is the numeric code, so that it never changes with package updates. */
export const currencies = () =>
  Object.entries(listed)
    .filter(([code]) => ![...withdrawn, ...notMoney].includes(code))
    .map(([abbreviation, { name, numeric }]) => ({ id: String(Number(numeric)), title: name, abbreviation }));
