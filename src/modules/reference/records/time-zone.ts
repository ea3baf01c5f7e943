import { flag, id, instant, int, text } from '../../../kernel/declare/fields/fields.js';
import type { NameReference } from '../../../kernel/declare/meta.js';
import { anyone } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';

/** Reference from a text field to a time zone, by IANA name. */
export const namesTimeZone: NameReference = {
  target: () => TimeZone,
  columns: ['ianaName'],
  expected: 'the IANA name of a time zone, such as America/Chicago',
};

@record(
  {
    table: 'time_zone',
    one: 'timeZone',
    many: 'timeZones',
    read: [anyone],
    write: noWriters,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'ianaName', direction: 'ASC' }],
    indexes: { name: '(lower(iana_name))' },
  },
  'A time zone of the IANA database, with its UTC offsets and the clock changes of this year. Reference data, read-only.',
)
export class TimeZone {
  @id('ID of the zone, a number as text that never changes.')
  id!: string;

  @int('UTC offset in standard time, in seconds. Negative west of Greenwich.', { required: true })
  utcOffset!: number;

  @text('Title for all seasons, such as Central Time.', { required: true })
  title!: string;

  @text('Abbreviation in standard time, such as CST.', { required: true })
  abbreviation!: string;

  @text('Name in standard time, such as Central Standard Time.', { required: true })
  fullName!: string;

  @flag('Whether it has daylight saving time.')
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
