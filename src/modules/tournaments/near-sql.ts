import { reject } from '../../kernel/declare/errors.js';
import type { Condition } from '../../kernel/declare/options.js';
import { allOf } from '../../kernel/declare/problems.js';
import type { Param } from '../../kernel/session.js';
import type { Near } from './near.js';

const metres = { KILOMETERS: 1000, MILES: 1609.344 };

function within(field: string, value: number, low: number, high: number): number {
  return value >= low && value <= high ? value : reject(field, `a number from ${low} to ${high}`);
}

/** SQL: places within a circle, nearest first. */
export function nearby({ unit, ...near }: Near, param: Param, path: string): Condition {
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
}
