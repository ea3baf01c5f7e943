import { Field, Float, InputType, registerEnumType } from 'type-graphql';
import { reject } from '../../kernel/errors.js';
import type { CustomFilter } from '../../kernel/filter.js';
import { checkSearch } from '../../kernel/operators.js';
import { Instant } from '../../kernel/scalars.js';
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

function within(name: string, value: number, low: number, high: number): number {
  return value >= low && value <= high ? value : reject(`filter.near.${name}`, `a number from ${low} to ${high}`);
}

/** True asks for the condition, false for its opposite. */
const when = (description: string, condition: string): CustomFilter => ({
  type: () => Boolean,
  description,
  sql: (wanted: boolean) => (wanted ? `(${condition})` : `not coalesce((${condition}), false)`),
});

/** The filters of section 4.1 beyond those of the columns (decisions 18 and 19). */
export const tournamentFilters: Record<string, CustomFilter> = {
  search: {
    type: () => String,
    description:
      'Words of the title, in any case, with or without accents, small misspellings allowed; exact hits come first. At most 200 characters.',
    sql: (words: string, param) => {
      checkSearch('filter.search', words, 200);
      const asked = `folded(${param(words)}::text)`;
      const part = `folded(${param(`%${words.replace(/[\\%_]/g, '\\$&')}%`)}::text)`;
      return {
        where: `(folded(r.title) like ${part} or ${asked} <% folded(r.title))`,
        rank: () =>
          `(case when folded(r.title) like ${part} then 0 else 2 - word_similarity(${asked}, folded(r.title)) - similarity(${asked}, folded(r.title)) / 10 end)::float8`,
      };
    },
  },
  near: {
    type: () => Near,
    description: 'Within a distance of a place, nearest first.',
    sql: ({ latitude, longitude, distance, unit }: Near, param) => {
      const centre = `ll_to_earth(${param(within('latitude', latitude, -90, 90))}::float8, ${param(within('longitude', longitude, -180, 180))}::float8)`;
      const radius = `${param(within('distance', distance, 0, 100_000) * metres[unit])}::float8`;
      const here = 'll_to_earth(r.location_latitude, r.location_longitude)';
      return {
        where: `earth_box(${centre}, ${radius}) @> ${here} and earth_distance(${centre}, ${here}) <= ${radius}`,
        rank: () => `earth_distance(${centre}, ${here})::float8`,
      };
    },
  },
  overlaps: {
    type: () => Period,
    description: 'Its days, in UTC, overlap this span.',
    sql: ({ from, until }: Period, param) =>
      [
        from ? `date_trunc('day', coalesce(r.ends_at, r.starts_at)) + interval '1 day' > ${param(from)}::timestamptz` : 'true',
        until ? `date_trunc('day', r.starts_at) <= ${param(until)}::timestamptz` : 'true',
      ].join(' and '),
  },
  sanctionedBy: {
    type: () => [SanctioningBody],
    description: 'Sanctioned by at least one of these governing bodies.',
    sql: (codes: string[], param) =>
      `r.sanctions @> any(${param(codes.map((body) => JSON.stringify([{ body, isSanctioned: true }])))}::text[]::jsonb[])`,
  },
  isPast: when('It is over.', 'r.ends_at < now()'),
  isUpcoming: when('It is ahead.', 'r.starts_at > now()'),
  isPlaying: when(
    'It is being played and was not called off.',
    'r.starts_at <= now() and r.ends_at >= now() and not r.is_cancelled',
  ),
  isRegistering: when(
    'Registration is open: within its dates, not closed by hand, the tournament not called off.',
    'r.registration_opens_at <= now() and r.registration_closes_at >= now() and not r.is_registration_closed and not r.is_cancelled',
  ),
};
