import { flag, id, instant, int, num, ref, text } from '../../../kernel/declare/fields/fields.js';
import type { NameReference } from '../../../kernel/declare/meta.js';
import { record, value } from '../../../kernel/declare/record.js';
import { lookupOptions, OrderedLookup } from './lookup.js';

/** Makes a text field refer to a country by title or code. */
export const countryReference: NameReference = {
  target: () => Country,
  columns: ['title', 'abbreviation', 'alpha2'],
  expected: 'the title or the code of a country',
};

@record(
  {
    ...lookupOptions,
    table: 'country',
    one: 'country',
    many: 'countries',
    constant: true,
    order: [{ field: 'title', direction: 'ASC' }],
  },
  'Country in ISO 3166-1, or Kosovo. Reference data, read-only.',
)
export class Country {
  @id('ISO 3166-1 numeric code without leading zeros, such as 840.')
  id!: string;

  @text('ISO 3166-1 alpha-3 code, such as USA.', { required: true })
  abbreviation!: string;

  @text('ISO 3166-1 alpha-2 code, such as US.', { required: true })
  alpha2!: string;

  @text('Short name in English.', { required: true })
  title!: string;

  @text('International calling code in digits, without a plus sign. 1 for all countries of the North American Numbering Plan.', {
    required: true,
  })
  callingCode!: string;

  @text('Term for the states of the country, such as Province.', { required: true })
  stateTitle!: string;

  @text('Term for the postal codes of the country, such as ZIP Code.', { required: true })
  zipCodeTitle!: string;

  @ref(
    () => SystemTextNumber,
    { one: 'systemTextNumber', many: 'countries' },
    'Phone number that sends text messages to the country.',
  )
  systemTextNumberId!: string | null;

  @int(
    'UN M49 code of the continent: 2 Africa, 3 North America, 5 South America, 9 Oceania, 10 Antarctica, 142 Asia, 150 Europe.',
    { required: true },
  )
  continentNumber!: number;
}

/** Makes a text field refer to a state by title or code. The field `country` of the same object selects the country. */
export const stateReference: NameReference = {
  target: () => State,
  columns: ['title', 'abbreviation', 'code'],
  expected: 'the title or the code of a state in `country`',
  parent: { field: 'country', key: 'countryId' },
};

@record(
  {
    ...lookupOptions,
    table: 'state',
    one: 'state',
    many: 'states',
    constant: true,
    order: [{ field: 'title', direction: 'ASC' }],
  },
  'State, province or other subdivision of a country (ISO 3166-2). Reference data, read-only.',
)
export class State {
  @id('Numeric ID of the state, as a string. The ID never changes.')
  id!: string;

  @text('ISO 3166-2 code, such as US-TX. Unique.', { required: true, unique: true, max: 20 })
  code!: string;

  @text('Abbreviation, such as TX: the part of the code after the country.', { required: true })
  abbreviation!: string;

  @text('Name.', { required: true })
  title!: string;

  @ref(() => Country, { one: 'country', many: 'states', filterable: ['one'] }, 'Country that the state belongs to.')
  countryId!: string | null;
}

@value('Location: address and coordinates. `/v1` accepts states and countries that are not in `states` and `countries`.')
export class Place {
  @text('Name of the venue.')
  venue!: string | null;

  @text('Street and number.')
  streetAddress!: string | null;

  @text('City.')
  city!: string | null;

  @text('State or province: title or code.', { nameReference: stateReference })
  state!: string | null;

  @text('Postal code.')
  zip!: string | null;

  @text('Country: title or code.', { nameReference: countryReference })
  country!: string | null;

  @num('Latitude in degrees, -90 to 90.', { range: [-90, 90] })
  latitude!: number | null;

  @num('Longitude in degrees, -180 to 180.', { range: [-180, 180] })
  longitude!: number | null;
}

/** Makes a text field refer to a time zone by IANA name. */
export const timeZoneReference: NameReference = {
  target: () => TimeZone,
  columns: ['ianaName'],
  expected: 'the IANA name of a time zone, such as America/Chicago',
};

@record(
  {
    ...lookupOptions,
    table: 'time_zone',
    one: 'timeZone',
    many: 'timeZones',
    constant: true,
    order: [{ field: 'ianaName', direction: 'ASC' }],
    indexes: { name: '(lower(iana_name))' },
  },
  "Time zone in the IANA database, with its UTC offsets and this year's clock changes. Reference data, read-only.",
)
export class TimeZone {
  @id('Numeric ID of the zone, as a string. The ID never changes.')
  id!: string;

  @int('UTC offset in standard time, in seconds. Negative west of Greenwich.', { required: true })
  utcOffset!: number;

  @text('Title for all seasons, such as Central Time.', { required: true })
  title!: string;

  @text('Abbreviation in standard time, such as CST.', { required: true })
  abbreviation!: string;

  @text('Name in standard time, such as Central Standard Time.', { required: true })
  fullName!: string;

  @flag('Whether the zone has daylight saving time.')
  hasDaylightSaving!: boolean;

  @text('IANA identifier, such as America/Chicago.', { required: true, comparison: 'exact' })
  ianaName!: string;

  @instant('When daylight saving time starts this year. Null without daylight saving time.')
  daylightStartsAt!: string | null;

  @instant('When standard time starts this year. Null without daylight saving time.')
  standardStartsAt!: string | null;

  @text('Abbreviation in daylight saving time, such as CDT. Without daylight saving time, the same as `abbreviation`.', {
    required: true,
  })
  daylightAbbreviation!: string;

  @int('UTC offset in daylight saving time, in seconds. Without daylight saving time, the same as `utcOffset`.', {
    required: true,
  })
  daylightUtcOffset!: number;
}

/** Makes a text field refer to a currency by ISO 4217 code. */
export const currencyReference: NameReference = {
  target: () => Currency,
  columns: ['abbreviation'],
  expected: 'the ISO 4217 code of a currency, such as USD',
};

@record(
  {
    ...lookupOptions,
    table: 'currency',
    one: 'currency',
    many: 'currencies',
    constant: true,
    order: [{ field: 'title', direction: 'ASC' }],
  },
  'ISO 4217 currency. Reference data, read-only.',
)
export class Currency {
  @id('ISO 4217 numeric code without leading zeros, such as 840.')
  id!: string;

  @text('Name in English, such as Canadian Dollar.', { required: true })
  title!: string;

  @text('ISO 4217 alphabetic code, such as CAD.', { required: true })
  abbreviation!: string;
}

@record(
  { ...lookupOptions, table: 'system_text_number', one: 'systemTextNumber', many: 'systemTextNumbers', constant: true },
  'Phone number from which the service sends text messages. Reference data, read-only.',
)
export class SystemTextNumber extends OrderedLookup {
  @id('Numeric ID of the number, as a string.')
  id!: string;

  @text('Phone number in E.164 format, such as +12025550142.', { required: true })
  phoneNumber!: string;

  @flag('Whether text messages are sent from this number.')
  isEnabled!: boolean;

  @text('Provider that sends the messages.', { required: true })
  provider!: string;
}
