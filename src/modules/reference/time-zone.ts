import { flag, id, instant, int, text } from '../../kernel/declare/fields.js';
import type { Named } from '../../kernel/declare/meta.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

/** A text that is the IANA name of a time zone. */
export const namesTimeZone: Named = { target: () => TimeZone, by: ['ianaName'] };

@record(
  {
    table: 'time_zone',
    one: 'timeZone',
    many: 'timeZones',
    read: [anyone],
    write: nobodyWrites,
    constant: true,
    rootFields: ['one', 'many'],
    order: [{ field: 'ianaName', direction: 'ASC' }],
    indexes: { name: '(lower(iana_name))' },
  },
  'A time zone of the IANA database, with its offsets and the changes of its clocks this year. Reference data, read only.',
)
export class TimeZone {
  @id('Id of the zone, a number as text that never changes.')
  id!: string;

  @int('Seconds ahead of UTC, in standard time; negative west of Greenwich.', { required: true })
  utcOffset!: number;

  @text('Title in any season, such as Central Time.', { required: true })
  title!: string;

  @text('Abbreviation in standard time, such as CST.', { required: true })
  abbreviation!: string;

  @text('Name in standard time, such as Central Standard Time.', { required: true })
  fullName!: string;

  @flag('Its clocks change twice a year.')
  hasDaylightSaving!: boolean;

  @text('IANA identifier, such as America/Chicago.', { required: true, letters: 'exact' })
  ianaName!: string;

  @instant('When daylight saving time begins this year; null where the clocks do not change.')
  daylightStartsAt!: string | null;

  @instant('When standard time begins this year; null where the clocks do not change.')
  standardStartsAt!: string | null;

  @text('Abbreviation in daylight saving time, such as CDT; that of standard time where there is none.', { required: true })
  daylightAbbreviation!: string;

  @int('Seconds ahead of UTC, in daylight saving time; as in standard time where there is none.', { required: true })
  daylightUtcOffset!: number;
}
