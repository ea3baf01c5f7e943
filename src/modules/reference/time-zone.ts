import { flag, id, instant, num, text } from '../../kernel/fields.js';
import { anyone } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';

@record(
  {
    table: 'time_zone',
    one: 'timeZone',
    many: 'timeZones',
    read: [anyone],
    write: [],
    doors: ['one', 'many'],
    order: [{ field: 'ianaName', direction: 'ASC' }],
  },
  'A time zone of the IANA database. Reference data (section 2.2).',
)
export class TimeZone {
  @id('Id.')
  id!: string;

  @num('Seconds ahead of UTC, in standard time.')
  utcOffset!: number | null;

  @text('Name.')
  name!: string | null;

  @text('Abbreviation in standard time.')
  abbreviation!: string | null;

  @text('Full name in standard time.')
  fullName!: string | null;

  @flag('It has daylight saving time.')
  hasDst!: boolean;

  @text('IANA identifier, such as America/Chicago.')
  ianaName!: string | null;

  @instant('When daylight saving time begins this year.')
  daylightChange!: string | null;

  @instant('When standard time begins this year.')
  standardChange!: string | null;

  @text('Abbreviation in daylight saving time.')
  daylightAbbreviation!: string | null;

  @num('Seconds ahead of UTC, in daylight saving time.')
  daylightUtcOffset!: number | null;
}
