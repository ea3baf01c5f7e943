import { iso31662 } from 'iso-3166';
import { countries } from './countries.js';

/** Every subdivision of ISO 3166-2, of whatever level; the id is the whole code, the abbreviation its second half. */
export function states() {
  const countryIds = new Map(countries().map(({ alpha2, id }) => [alpha2, id]));
  return iso31662.map(({ code, name }) => {
    const [alpha2 = '', abbreviation] = code.split('-');
    const countryId = countryIds.get(alpha2);
    if (!countryId || !abbreviation) throw new Error(`${code} is not the code of a subdivision of a known country`);
    return { id: code, abbreviation, title: name, countryId };
  });
}
