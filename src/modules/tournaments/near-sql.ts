import type { Condition } from '../../kernel/declare/options.js';
import type { Param } from '../../kernel/session.js';
import { checkNear, type Near } from './near.js';

const metres = { KILOMETERS: 1000, MILES: 1609.344 };

/** SQL: places within a circle, nearest first. */
export function nearby({ unit, ...near }: Near, param: Param, path: string): Condition {
  checkNear(near, `${path}.`);
  const { latitude, longitude, distance } = near;
  const centre = `ll_to_earth(${param(latitude)}::float8, ${param(longitude)}::float8)`;
  const radius = `${param(distance * metres[unit])}::float8`;
  const here = 'll_to_earth(r.location_latitude, r.location_longitude)';
  return {
    where: `earth_box(${centre}, ${radius}) @> ${here} and earth_distance(${centre}, ${here}) <= ${radius}`,
    rank: () => `earth_distance(${centre}, ${here})::float8`,
  };
}
