import { iso31662 } from 'iso-3166';
import { countries } from './countries.js';

/** Code of a state, and its assigned ID, which never changes. */
export interface NumberedState {
  id: string;
  code: string;
}

/** Countries with the lowest state IDs. The other countries follow in the order of their codes. */
const firstCountries = ['US', 'CA', 'AU', 'MX'];

const byTitle = new Intl.Collator('en').compare;

/** Returns the ISO 3166-2 subdivisions on all levels. Existing subdivisions keep their IDs. New subdivisions get the next numbers. */
export function states(assignedIds: readonly NumberedState[]) {
  const ids = new Map(assignedIds.map(({ id, code }) => [code, Number(id)]));
  let lastId = Math.max(0, ...ids.values());
  return subdivisions()
    .map((state) => ({ id: String(ids.get(state.code) ?? ++lastId), ...state }))
    .sort((left, right) => Number(left.id) - Number(right.id));
}

function subdivisions() {
  const countryIds = new Map(countries().map(({ alpha2, id }) => [alpha2, id]));
  const allStates = iso31662.map(({ code, name }) => {
    const [alpha2 = '', abbreviation] = code.split('-');
    const countryId = countryIds.get(alpha2);
    if (!countryId || !abbreviation) throw new Error(`the country of the subdivision ${code} is not in the list of countries`);
    return { code, abbreviation, title: name, countryId };
  });
  const byCountry = Map.groupBy(allStates, ({ code }) => code.slice(0, 2));
  const orderedCountries = [...new Set([...firstCountries, ...[...byCountry.keys()].sort()])];
  return orderedCountries.flatMap(
    (alpha2) => byCountry.get(alpha2)?.toSorted((left, right) => byTitle(left.title, right.title)) ?? [],
  );
}
