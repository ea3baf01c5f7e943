import { Field, Float, InputType, registerEnumType } from 'type-graphql';
import { reject } from '../../kernel/errors.js';
import type { Condition, CustomFilter } from '../../kernel/filter.js';
import { isUpTo } from '../../kernel/instant.js';
import { inNfc } from '../../kernel/nfc.js';
import { checkSearch } from '../../kernel/operators.js';
import { allOf } from '../../kernel/problems.js';
import { Instant } from '../../kernel/scalars.js';
import type { Param } from '../../kernel/sql.js';
import { idOfBody } from '../reference/governing-body.js';
import { daysOf, earliestStart, registrationOf } from './days-sql.js';
import { SanctioningBody } from './sanction.js';

export const DistanceUnit = { KILOMETERS: 'KILOMETERS', MILES: 'MILES' } as const;
registerEnumType(DistanceUnit, {
  name: 'DistanceUnit',
  description: 'A unit of distance.',
  valuesConfig: { KILOMETERS: { description: '1,000 metres.' }, MILES: { description: '1,609.344 metres.' } },
});

@InputType('Near', { description: 'A circle on the earth.' })
export class Near {
  @Field(() => Float, { description: 'Degrees north of the centre, -90 to 90.' })
  latitude!: number;

  @Field(() => Float, { description: 'Degrees east of the centre, -180 to 180.' })
  longitude!: number;

  @Field(() => Float, { description: 'Radius, 0 or more, in `unit`.' })
  distance!: number;

  @Field(() => DistanceUnit, { defaultValue: 'KILOMETERS', description: 'Unit of the distance.' })
  unit!: keyof typeof DistanceUnit;
}

@InputType('Period', { description: 'A span of time, open where an end is absent.' })
export class Period {
  @Field(() => Instant, { nullable: true, description: 'From here on.' })
  from?: string | null;

  @Field(() => Instant, { nullable: true, description: 'Up to here.' })
  until?: string | null;
}

const metres = { KILOMETERS: 1000, MILES: 1609.344 };

function within(field: string, value: number, low: number, high: number): number {
  return value >= low && value <= high ? value : reject(field, `a number from ${low} to ${high}`);
}

/** True asks for the condition, false for its opposite. */
const when = (description: string, condition: string, { isFew }: { isFew?: true } = {}): CustomFilter => ({
  type: () => Boolean,
  description,
  sql: (wanted: boolean) =>
    wanted ? { where: `(${condition})`, ...(isFew && { isFew }) } : `not coalesce((${condition}), false)`,
});

const day = 86_400_000;

/**
 * Tournaments of a span of two months are few. Those of a longer or open one are met soon in the order of their starts, beginning with the
 * first that can be among them.
 */
function overlapping({ from, until }: Period, param: Param): Condition {
  if (!from && !until) return 'true';
  if (from && until && !isUpTo(from, until)) return 'false';
  const start = from ? `${param(from)}::timestamptz` : 'null';
  const end = until ? `${param(until)}::timestamptz` : 'null';
  const where = `${daysOf('r.')} && tstzrange(${start}, ${end}, '[]')`;
  if (from && until && Date.parse(until) - Date.parse(from) <= 62 * day) return { where, isFew: true };
  const lower = from ? ` and r.starts_at >= ${earliestStart(start)}` : '';
  const upper = until ? ` and r.starts_at <= ${end} + interval '2 days'` : '';
  return where + lower + upper;
}

/** The filters of section 4.1 beyond those of the columns (decisions 18 and 19). */
export const tournamentFilters: Record<string, CustomFilter> = {
  search: {
    type: () => String,
    description:
      'Words of the title, in any case, with or without accents, small misspellings allowed; exact hits come first. At most 200 characters.',
    sql: (given: string, param, _, path) => {
      checkSearch(path, given, 200);
      const words = inNfc(given);
      const title = 'folded(nfc(r.title))';
      const asked = `folded(${param(words)}::text)`;
      const part = `folded(${param(`%${words.replace(/[\\%_]/g, '\\$&')}%`)}::text)`;
      return {
        where: `(${title} like ${part} or ${asked} <% ${title})`,
        rank: () =>
          `(case when ${title} like ${part} then 0 else 2 - word_similarity(${asked}, ${title}) - similarity(${asked}, ${title}) / 10 end)::float8`,
      };
    },
  },
  near: {
    type: () => Near,
    description: 'Within a distance of a place, nearest first.',
    sql: ({ unit, ...near }: Near, param, _, path) => {
      const [latitude, longitude, distance] = allOf(
        () => within(`${path}.latitude`, near.latitude, -90, 90),
        () => within(`${path}.longitude`, near.longitude, -180, 180),
        () => within(`${path}.distance`, near.distance, 0, 100_000),
      );
      const centre = `ll_to_earth(${param(latitude)}::float8, ${param(longitude)}::float8)`;
      const radius = `${param(distance * metres[unit])}::float8`;
      const here = 'll_to_earth(r.location_latitude, r.location_longitude)';
      return {
        where: `earth_box(${centre}, ${radius}) @> ${here} and earth_distance(${centre}, ${here}) <= ${radius}`,
        rank: () => `earth_distance(${centre}, ${here})::float8`,
      };
    },
  },
  overlaps: {
    type: () => Period,
    description: 'Its days, in its own time zone, overlap this span. A tournament without a start has none.',
    sql: overlapping,
  },
  sanctionedBy: {
    type: () => [SanctioningBody],
    description:
      'Sanctioned by at least one of these governing bodies, or with an entry of it among its approvals, whatever the status.',
    sql: (codes: string[], param) => {
      const holding = (column: string, entries: object[]) =>
        `r.${column} @> any(${param(entries.map((entry) => JSON.stringify([entry])))}::text[]::jsonb[])`;
      const sanctions = codes.map((body) => ({ body, isSanctioned: true }));
      const approvals = codes.map((code) => ({ governingBodyId: idOfBody.get(code) }));
      return `(${holding('sanctions', sanctions)} or ${holding('approvals', approvals)})`;
    },
  },
  isPast: when(
    'It is over: its end is past. An end at midnight in its time zone stands for that day, an absent one for the day of the start.',
    'r.over_at <= now()',
  ),
  isUpcoming: when('It is ahead: its start is.', 'r.starts_at > now()'),
  isPlaying: when(
    'It is being played, started and not yet over, and was not called off.',
    `${daysOf('r.')} @> now() and r.starts_at <= now() and r.over_at > now() and not r.is_cancelled`,
    { isFew: true },
  ),
  isRegistering: when(
    'Registration is open: within its dates (with one of them only, open on the other side), not closed by hand, the tournament not called off.',
    `${registrationOf('r.')} @> now() and not r.is_registration_closed and not r.is_cancelled`,
    { isFew: true },
  ),
};
