import { type ICountry, countries as listedCountries } from 'countries-list';
import { iso31661 } from 'iso-3166';
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js';
import { stateTitle, zipCodeTitle } from './country-titles.js';

/** Kosovo has no codes in ISO 3166-1. Unicode CLDR and the European Union use these user-assigned codes. */
const kosovo = { alpha2: 'XK', alpha3: 'XKX', numeric: '983', name: 'Kosovo' };

/** Countries with an incomplete name in countries-list, such as a name without accents. Their ISO name is used instead. */
const countriesWithIsoName = new Set(['AX', 'BL', 'BQ', 'CW', 'RE', 'SH', 'TL']);

/** UN M49 codes of the continents. */
const regions = { AF: 2, AN: 10, AS: 142, EU: 150, NA: 3, OC: 9, SA: 5 };

/** IDs of the phone numbers that send text messages, keyed by country. Other countries use number 1. */
const textNumbers = new Map(Object.entries({ CA: '2', GB: '3', GG: '3', IE: '3', IM: '3', JE: '3', AU: '4', NZ: '4' }));

/** Returns all countries of ISO 3166-1, and Kosovo. The ID is the numeric code, which never changes with package updates. */
export const countries = () =>
  [...iso31661, kosovo].map(({ alpha2, alpha3, numeric, name }) => {
    const country = countryByCode(alpha2);
    return {
      id: String(Number(numeric)),
      abbreviation: alpha3,
      title: countriesWithIsoName.has(alpha2) ? name : country.name,
      callingCode: callingCode(alpha2, country),
      stateTitle: stateTitle(alpha2),
      zipCodeTitle: zipCodeTitle(alpha2),
      systemTextNumberId: textNumbers.get(alpha2) ?? '1',
      alpha2,
      continentNumber: regions[country.continent],
    };
  });

const countriesByCode = new Map<string, ICountry>(Object.entries(listedCountries));

function countryByCode(alpha2: string) {
  const country = countriesByCode.get(alpha2);
  if (!country) throw new Error(`countries-list has no country with the code ${alpha2}`);
  return country;
}

// countries-list includes area codes, such as 1787 for Puerto Rico. libphonenumber does not, but it lacks countries without subscribers.
const callingCode = (alpha2: string, { phone }: ICountry) =>
  isSupportedCountry(alpha2) ? String(getCountryCallingCode(alpha2)) : String(phone[0] ?? '');
