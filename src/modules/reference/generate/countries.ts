import { type ICountry, countries as listed } from 'countries-list';
import { iso31661 } from 'iso-3166';
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js';
import { stateTitle, zipCodeTitle } from './country-titles.js';

/** Not in ISO 3166-1: the user-assigned codes that Unicode CLDR and the European Union use for it. */
const kosovo = { alpha2: 'XK', alpha3: 'XKX', numeric: '983', name: 'Kosovo' };

/** Short names of countries-list that lost their accents or half of the country; ISO keeps them. */
const namedAsInIso = new Set(['AX', 'BL', 'BQ', 'CW', 'RE', 'SH', 'TL']);

/** Continents by the codes of UN M49, the usual numbers for regions of the world. */
const regions = { AF: 2, AN: 10, AS: 142, EU: 150, NA: 3, OC: 9, SA: 5 };

/** Which of our own numbers texts a country's phones, where it is not the first one. */
const textNumbers = new Map(Object.entries({ CA: '2', GB: '3', GG: '3', IE: '3', IM: '3', JE: '3', AU: '4', NZ: '4' }));

/** Every country of ISO 3166-1, and Kosovo; the id is the numeric code, so that no update of a package moves it. */
export const countries = () =>
  [...iso31661, kosovo].map(({ alpha2, alpha3, numeric, name }) => {
    const country = shortFacts(alpha2);
    return {
      id: String(Number(numeric)),
      abbreviation: alpha3,
      title: namedAsInIso.has(alpha2) ? name : country.name,
      callingCode: callingCode(alpha2, country),
      stateTitle: stateTitle(alpha2),
      zipCodeTitle: zipCodeTitle(alpha2),
      systemTextNumberId: textNumbers.get(alpha2) ?? '1',
      alpha2,
      continentNumber: regions[country.continent],
    };
  });

const listedByCode = new Map<string, ICountry>(Object.entries(listed));

function shortFacts(alpha2: string) {
  const country = listedByCode.get(alpha2);
  if (!country) throw new Error(`countries-list does not know the country ${alpha2}`);
  return country;
}

// countries-list counts area codes in (1787 for Puerto Rico); libphonenumber does not, but leaves out lands without subscribers.
const callingCode = (alpha2: string, { phone }: ICountry) =>
  isSupportedCountry(alpha2) ? String(getCountryCallingCode(alpha2)) : String(phone[0] ?? '');
