/** A city where tournaments are held. */
export interface City {
  city: string;
  /** Abbreviation of the state, as in the lookup data. */
  state: string;
  latitude: number;
  longitude: number;
  zip: string;
  timeZone: string;
  country: DemoCountry;
}

export interface DemoCountry {
  /** ISO 3166 numeric code. It is also the ID in the lookup data. */
  id: string;
  alpha2: string;
  title: string;
  currency: string;
  /** Governing body that sanctions most tournaments in the country. */
  body: 'USAP' | 'PCO' | 'PAA' | 'WPF' | 'GPA';
}

const unitedStates: DemoCountry = { id: '840', alpha2: 'US', title: 'United States', currency: 'USD', body: 'USAP' };
const canada: DemoCountry = { id: '124', alpha2: 'CA', title: 'Canada', currency: 'CAD', body: 'PCO' };
const mexico: DemoCountry = { id: '484', alpha2: 'MX', title: 'Mexico', currency: 'MXN', body: 'GPA' };
const unitedKingdom: DemoCountry = { id: '826', alpha2: 'GB', title: 'United Kingdom', currency: 'GBP', body: 'WPF' };
const spain: DemoCountry = { id: '724', alpha2: 'ES', title: 'Spain', currency: 'EUR', body: 'WPF' };
const france: DemoCountry = { id: '250', alpha2: 'FR', title: 'France', currency: 'EUR', body: 'WPF' };
const germany: DemoCountry = { id: '276', alpha2: 'DE', title: 'Germany', currency: 'EUR', body: 'WPF' };
const italy: DemoCountry = { id: '380', alpha2: 'IT', title: 'Italy', currency: 'EUR', body: 'WPF' };
const netherlands: DemoCountry = { id: '528', alpha2: 'NL', title: 'Netherlands', currency: 'EUR', body: 'WPF' };
const australia: DemoCountry = { id: '36', alpha2: 'AU', title: 'Australia', currency: 'AUD', body: 'PAA' };
const newZealand: DemoCountry = { id: '554', alpha2: 'NZ', title: 'New Zealand', currency: 'NZD', body: 'WPF' };

type CityRow = readonly [city: string, state: string, latitude: number, longitude: number, zip: string, timeZone: string];

const citiesOf = (country: DemoCountry, rows: readonly CityRow[]): City[] =>
  rows.map(([city, state, latitude, longitude, zip, timeZone]) => ({
    city,
    state,
    latitude,
    longitude,
    zip,
    timeZone,
    country,
  }));

export const austin: City = {
  city: 'Austin',
  state: 'TX',
  latitude: 30.2672,
  longitude: -97.7431,
  zip: '78701',
  timeZone: 'America/Chicago',
  country: unitedStates,
};

/** Austin and cities within 50 km of it. */
export const aroundAustin: readonly City[] = [
  austin,
  ...citiesOf(unitedStates, [
    ['Round Rock', 'TX', 30.5083, -97.6789, '78664', 'America/Chicago'],
    ['Cedar Park', 'TX', 30.5052, -97.8203, '78613', 'America/Chicago'],
    ['Pflugerville', 'TX', 30.4394, -97.62, '78660', 'America/Chicago'],
    ['Georgetown', 'TX', 30.6333, -97.6772, '78626', 'America/Chicago'],
    ['Lakeway', 'TX', 30.364, -97.9796, '78734', 'America/Chicago'],
    ['Dripping Springs', 'TX', 30.1902, -98.0867, '78620', 'America/Chicago'],
    ['Buda', 'TX', 30.0852, -97.8403, '78610', 'America/Chicago'],
    ['Kyle', 'TX', 29.9891, -97.8772, '78640', 'America/Chicago'],
  ]),
];

export const northAmerica: readonly City[] = [
  ...citiesOf(unitedStates, [
    ['Dallas', 'TX', 32.7767, -96.797, '75201', 'America/Chicago'],
    ['Houston', 'TX', 29.7604, -95.3698, '77002', 'America/Chicago'],
    ['San Antonio', 'TX', 29.4241, -98.4936, '78205', 'America/Chicago'],
    ['Naples', 'FL', 26.142, -81.7948, '34102', 'America/New_York'],
    ['Orlando', 'FL', 28.5384, -81.3789, '32801', 'America/New_York'],
    ['Tampa', 'FL', 27.9506, -82.4572, '33602', 'America/New_York'],
    ['Atlanta', 'GA', 33.749, -84.388, '30303', 'America/New_York'],
    ['Charlotte', 'NC', 35.2271, -80.8431, '28202', 'America/New_York'],
    ['Nashville', 'TN', 36.1627, -86.7816, '37203', 'America/Chicago'],
    ['New York', 'NY', 40.7128, -74.006, '10001', 'America/New_York'],
    ['Boston', 'MA', 42.3601, -71.0589, '02108', 'America/New_York'],
    ['Philadelphia', 'PA', 39.9526, -75.1652, '19103', 'America/New_York'],
    ['Cincinnati', 'OH', 39.1031, -84.512, '45202', 'America/New_York'],
    ['Chicago', 'IL', 41.8781, -87.6298, '60601', 'America/Chicago'],
    ['Minneapolis', 'MN', 44.9778, -93.265, '55401', 'America/Chicago'],
    ['Kansas City', 'MO', 39.0997, -94.5786, '64106', 'America/Chicago'],
    ['Denver', 'CO', 39.7392, -104.9903, '80202', 'America/Denver'],
    ['Salt Lake City', 'UT', 40.7608, -111.891, '84101', 'America/Denver'],
    ['St. George', 'UT', 37.0965, -113.5684, '84770', 'America/Denver'],
    ['Phoenix', 'AZ', 33.4484, -112.074, '85004', 'America/Phoenix'],
    ['Mesa', 'AZ', 33.4152, -111.8315, '85201', 'America/Phoenix'],
    ['Las Vegas', 'NV', 36.1699, -115.1398, '89101', 'America/Los_Angeles'],
    ['San Diego', 'CA', 32.7157, -117.1611, '92101', 'America/Los_Angeles'],
    ['San Clemente', 'CA', 33.427, -117.612, '92672', 'America/Los_Angeles'],
    ['Indian Wells', 'CA', 33.7176, -116.3408, '92210', 'America/Los_Angeles'],
    ['Seattle', 'WA', 47.6062, -122.3321, '98101', 'America/Los_Angeles'],
    ['Portland', 'OR', 45.5152, -122.6784, '97204', 'America/Los_Angeles'],
    ['Honolulu', 'HI', 21.3069, -157.8583, '96813', 'Pacific/Honolulu'],
  ]),
  ...citiesOf(canada, [
    ['Toronto', 'ON', 43.6532, -79.3832, 'M5H 2N2', 'America/Toronto'],
    ['Vancouver', 'BC', 49.2827, -123.1207, 'V6B 1A1', 'America/Vancouver'],
    ['Calgary', 'AB', 51.0447, -114.0719, 'T2P 1J9', 'America/Edmonton'],
    ['Montréal', 'QC', 45.5019, -73.5674, 'H3B 1A7', 'America/Toronto'],
  ]),
  ...citiesOf(mexico, [
    ['Puerto Vallarta', 'JAL', 20.6534, -105.2253, '48300', 'America/Mexico_City'],
    ['Cancún', 'ROO', 21.1619, -86.8515, '77500', 'America/Cancun'],
  ]),
];

export const europe: readonly City[] = [
  ...citiesOf(unitedKingdom, [
    ['London', 'LND', 51.5074, -0.1278, 'SW19 5AE', 'Europe/London'],
    ['Bolton', 'BOL', 53.5769, -2.4282, 'BL1 1RU', 'Europe/London'],
    ['Edinburgh', 'EDH', 55.9533, -3.1883, 'EH1 1YZ', 'Europe/London'],
  ]),
  ...citiesOf(spain, [
    ['Madrid', 'MD', 40.4168, -3.7038, '28013', 'Europe/Madrid'],
    ['Málaga', 'MA', 36.7213, -4.4214, '29015', 'Europe/Madrid'],
    ['València', 'V', 39.4699, -0.3763, '46002', 'Europe/Madrid'],
  ]),
  ...citiesOf(france, [
    ['Bordeaux', '33', 44.8378, -0.5792, '33000', 'Europe/Paris'],
    ['Lyon', '69', 45.764, 4.8357, '69002', 'Europe/Paris'],
  ]),
  ...citiesOf(germany, [
    ['München', 'BY', 48.1351, 11.582, '80331', 'Europe/Berlin'],
    ['Hamburg', 'HH', 53.5511, 9.9937, '20095', 'Europe/Berlin'],
  ]),
  ...citiesOf(italy, [
    ['Torino', 'TO', 45.0703, 7.6869, '10121', 'Europe/Rome'],
    ['Roma', 'RM', 41.9028, 12.4964, '00187', 'Europe/Rome'],
  ]),
  ...citiesOf(netherlands, [['Rotterdam', 'ZH', 51.9244, 4.4777, '3012 KB', 'Europe/Amsterdam']]),
];

export const oceania: readonly City[] = [
  ...citiesOf(australia, [
    ['Sydney', 'NSW', -33.8688, 151.2093, '2000', 'Australia/Sydney'],
    ['Melbourne', 'VIC', -37.8136, 144.9631, '3000', 'Australia/Melbourne'],
    ['Brisbane', 'QLD', -27.4698, 153.0251, '4000', 'Australia/Brisbane'],
    ['Gold Coast', 'QLD', -28.0167, 153.4, '4217', 'Australia/Brisbane'],
    ['Adelaide', 'SA', -34.9285, 138.6007, '5000', 'Australia/Adelaide'],
    ['Perth', 'WA', -31.9523, 115.8613, '6000', 'Australia/Perth'],
  ]),
  ...citiesOf(newZealand, [
    ['Auckland', 'AUK', -36.8509, 174.7645, '1010', 'Pacific/Auckland'],
    ['Christchurch', 'CAN', -43.5321, 172.6362, '8011', 'Pacific/Auckland'],
  ]),
];

/** All cities, grouped by continent. */
export const continents: readonly (readonly City[])[] = [[...aroundAustin, ...northAmerica], europe, oceania];

/** Returns the location of a venue in a city. */
export const locationOf = ({ city, state, zip, country, latitude, longitude }: City, venue: string) => ({
  venue,
  city,
  state,
  zip,
  country: country.title,
  latitude,
  longitude,
});
