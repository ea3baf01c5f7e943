import { Field, Float, InputType, registerEnumType } from 'type-graphql';
import type { Caller } from '../declare/caller.js';
import { reject } from '../declare/errors.js';
import { heldBy } from '../declare/input-rules.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import type { Condition, CustomFilter, Whereabouts } from '../declare/options.js';
import { allOf } from '../declare/problems.js';
import type { Param } from '../declare/row.js';

const DistanceUnit = { KILOMETERS: 'KILOMETERS', MILES: 'MILES' } as const;
registerEnumType(DistanceUnit, {
  name: 'DistanceUnit',
  description: 'A unit of distance.',
  valuesConfig: { KILOMETERS: { description: '1,000 metres.' }, MILES: { description: '1,609.344 metres.' } },
});

const metres = { KILOMETERS: 1000, MILES: 1609.344 };

/** Names all of a circle that is out of bounds. */
function checkNear(near: Partial<Near>, path: string): void {
  const within = (field: 'latitude' | 'longitude' | 'distance', low: number, high: number) => () => {
    const { [field]: value = low } = near;
    if (value < low || value > high) reject(path + field, `a number from ${low} to ${high}`);
  };
  allOf(within('latitude', -90, 90), within('longitude', -180, 180), within('distance', 0, 100_000));
}

@heldBy(checkNear)
@InputType('Near', { description: 'A circle on the earth.' })
class Near {
  @Field(() => Float, { description: 'Degrees north of the centre, -90 to 90.' })
  latitude!: number;

  @Field(() => Float, { description: 'Degrees east of the centre, -180 to 180.' })
  longitude!: number;

  @Field(() => Float, { description: 'Radius in kilometers, or in the given `unit`. From 0 to 100,000.' })
  distance!: number;

  @Field(() => DistanceUnit, {
    defaultValue: 'KILOMETERS',
    description: 'Unit of the radius, and of the field `distance` of the results.',
  })
  unit!: keyof typeof DistanceUnit;
}

/** SQL of the point where a row is; the index holds this very text. */
function pointOf(cls: RecordClass, { latitude, longitude }: Whereabouts, row = ''): string {
  const column = (key: string) => row + columnOf(metaOf(cls), key).column;
  return `ll_to_earth(${column(latitude)}, ${column(longitude)})`;
}

/** SQL of the index of places. With `beside` it holds the degrees, too, without which PostgreSQL reads each row whose point it has. */
export function placeIndex(cls: RecordClass, place: Whereabouts): string {
  const beside = place.beside ? [place.latitude, place.longitude, ...place.beside] : [];
  const kept = beside.map((key) => columnOf(metaOf(cls), key).column).join(', ');
  return `using gist (${pointOf(cls, place)})${kept && ` include (${kept})`}`;
}

/** Decimals of the degrees by which callers find whose place is private: about a kilometre, however often and from wherever they ask. */
const roughly = 2;
/** Metres by which a rough place is off at most, and some more. */
const slack = 1000;

/** SQL of about where a row is: all that is told of it follows from this point, or many answers would tell the very one. */
function roughPointOf(cls: RecordClass, { latitude, longitude }: Whereabouts, row: string): string {
  const rough = (key: string) => `round(${row}.${columnOf(metaOf(cls), key).column}::numeric, ${roughly})::float8`;
  return `ll_to_earth(${rough(latitude)}, ${rough(longitude)})`;
}

/** Metres by which points may be off when they are reckoned: one on the edge of a circle is in it. */
const rounding = 1e-6;

/**
 * SQL: rows within a circle, nearest first; where a caller sees only places that are shown, roughly and in whole units. What is asked of
 * each row is a straight line through the earth: its length follows from what the index holds, without a sine. What is the same for all
 * rows stands in a `select` of its own, or a plan for any circle would work it out for each of them.
 */
function nearby(
  cls: RecordClass,
  place: Whereabouts,
  { unit, ...near }: Near,
  param: Param,
  caller: Caller,
  path: string,
): Condition {
  checkNear(near, `${path}.`);
  const { latitude, longitude, distance } = near;
  const centre = `ll_to_earth(${param(latitude)}::float8, ${param(longitude)}::float8)`;
  const radius = `${param(distance * metres[unit])}::float8`;
  const here = pointOf(cls, place, `${param.row}.`);
  const shown = place.shown?.(caller, param);
  const told = shown ? roughPointOf(cls, place, param.row) : here;
  const away = `earth_distance((select ${centre}), ${told})`;
  const box = `(select earth_box(${centre}, ${radius}${shown ? ` + ${slack}` : ''})::cube)`;
  const line = `cube_distance((select ${centre}::cube), ${told}) <= (select gc_to_sec(${radius}) + ${rounding})`;
  const inUnits = `${away} / ${metres[unit]}`;
  const where = `${shown ? `${shown} and ` : ''}${box} @> ${here} and ${line}`;
  return {
    where,
    // All are sorted: what is shown is read of the nearest only.
    branches: [{ where }],
    rank: () => ({ sql: `${away}::float8` }),
    distance: `${shown ? `round(${inUnits})` : `(${inUnits})`}::float8`,
  };
}

/** The filter of a record that says where its rows are. */
export const nearOf = (cls: RecordClass, place: Whereabouts): CustomFilter => ({
  type: () => Near,
  description:
    'Within a circle, nearest first. The field `distance` of a result is its distance from the center, in `near.unit`.',
  sql: (near: Near, param, caller, path) => nearby(cls, place, near, param, caller, path),
});
