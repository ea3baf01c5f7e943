import { currencies as listed } from 'countries-list/currencies';

/** Withdrawn from ISO 4217, though countries-list still has them (ANG's number now belongs to XCG). */
const withdrawn = ['ANG', 'SLL', 'USS'];

/** In ISO 4217, but no money: "for testing" and "no currency". */
const nobodyPaysIn = ['XTS', 'XXX'];

/** The currencies of ISO 4217; the id is the numeric code, so that no update of a package moves it. */
export const currencies = () =>
  Object.entries(listed)
    .filter(([code]) => ![...withdrawn, ...nobodyPaysIn].includes(code))
    .map(([abbreviation, { name, numeric }]) => ({ id: String(Number(numeric)), title: name, abbreviation }));
