/** English names for first-level subdivisions, with the countries that use them. Default: Region. */
const stateTitles = titles({
  Canton: 'CH LU',
  County: 'EE GB HR HU IE KE LR LT NO RO SE TW',
  Department: 'BJ BO CO FR GT HN HT NI PY SV UY',
  District: 'BZ CY IL MU NR PT SR UG',
  Division: 'BD',
  Emirate: 'AE',
  Governorate: 'BH EG IQ JO KW LB OM PS SY TN YE',
  Island: 'BS CV KI PF SC TV',
  Municipality: 'LV ME MK SI',
  Oblast: 'KG RU UA',
  Parish: 'AD AG BB DM GD JM KN VC',
  Prefecture: 'CF JP',
  Province:
    'AF AO AR BE BI CA CD CN CR CU DO DZ EC ES GA ID IR IT KH KR LA LK MG MN MZ NL NP PA PG PH PK RW SB TH TR VN VU ZA ZM ZW',
  State: 'AT AU BR DE FM IN MM MX MY NG PW SD SS US VE',
  Voivodeship: 'PL',
});

/** Names for postal codes, with the countries that use them. Default: Postal Code. */
const zipCodeTitles = titles({
  CEP: 'BR',
  Eircode: 'IE',
  'PIN Code': 'IN',
  Postcode: 'AU CC CX FK GB GG GI IM JE NF NZ PN SH TC',
  'ZIP Code': 'AS FM GU MH MP PH PR PW UM US VI',
});

/** Returns the term for the states of a country, such as `Province`, given its ISO 3166-1 alpha-2 code. */
export const stateTitle = (alpha2: string) => stateTitles.get(alpha2) ?? 'Region';

/** Returns the term for the postal codes of a country, such as `ZIP Code`, given its ISO 3166-1 alpha-2 code. */
export const zipCodeTitle = (alpha2: string) => zipCodeTitles.get(alpha2) ?? 'Postal Code';

function titles(table: Record<string, string>) {
  return new Map(Object.entries(table).flatMap(([title, codes]) => codes.split(' ').map((code) => [code, title] as const)));
}
