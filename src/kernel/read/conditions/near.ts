import { Field, Float, InputType, registerEnumType } from 'type-graphql';
import { reject } from '../../declare/errors.js';
import {
  allOf,
  constantSql,
  expression,
  indexedRow,
  parameter,
  type RowReference,
  type SqlExpression,
} from '../../declare/expression.js';
import type { CustomFilter, FilterCondition, LocationOptions } from '../../declare/fields/options.js';
import { validatedBy } from '../../declare/input-rules.js';
import { columnOf, metaOf, type RecordClass } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import { runChecks } from '../../declare/problems.js';

const DistanceUnit = { KILOMETERS: 'KILOMETERS', MILES: 'MILES' } as const;
registerEnumType(DistanceUnit, {
  name: 'DistanceUnit',
  description: 'A unit of distance.',
  valuesConfig: { KILOMETERS: { description: '1,000 meters.' }, MILES: { description: '1,609.344 meters.' } },
});

const metersPerUnit = { KILOMETERS: 1000, MILES: 1609.344 };

/** Throws BAD_INPUT for all out-of-range values of a circle. */
function checkNear(near: Partial<Near>, path: string): void {
  const rangeCheck = (field: 'latitude' | 'longitude' | 'distance', low: number, high: number) => () => {
    const { [field]: value = low } = near;
    if (value < low || value > high) reject(path + field, `a number from ${low} to ${high}`);
  };
  runChecks(rangeCheck('latitude', -90, 90), rangeCheck('longitude', -180, 180), rangeCheck('distance', 0, 100_000));
}

@validatedBy(checkNear)
@InputType('Near', { description: 'A circle on the surface of the Earth.' })
class Near {
  @Field(() => Float, { description: 'Latitude of the center in degrees, -90 to 90.' })
  latitude!: number;

  @Field(() => Float, { description: 'Longitude of the center in degrees, -180 to 180.' })
  longitude!: number;

  @Field(() => Float, { description: 'Radius in kilometers or miles (`unit`), 0 to 100,000.' })
  distance!: number;

  @Field(() => DistanceUnit, {
    defaultValue: 'KILOMETERS',
    description: 'Unit of the radius, and of the field `distance` in the results.',
  })
  unit!: keyof typeof DistanceUnit;
}

/** Returns the SQL expression for the location of a row. It must be identical to the expression in the index. */
function pointOf(cls: RecordClass, { latitude, longitude }: LocationOptions, row: RowReference): SqlExpression {
  const column = (key: string) => row.column(columnOf(metaOf(cls), key).column);
  return expression`ll_to_earth(${column(latitude)}, ${column(longitude)})`;
}

/**
 * Returns the SQL of the location index. With `indexedColumns`, the index also contains the coordinates, so that PostgreSQL does not have
 * to read the rows.
 */
export function locationIndex(cls: RecordClass, location: LocationOptions): string {
  const keys = location.indexedColumns ? [location.latitude, location.longitude, ...location.indexedColumns] : [];
  const columns = keys.map((key) => columnOf(metaOf(cls), key).column).join(', ');
  return `using gist (${pointOf(cls, location, indexedRow).structure})${columns && ` include (${columns})`}`;
}

/**
 * Number of decimal places to which searches round private locations. Two decimal places correspond to about one kilometer. Combining the
 * results of many searches does not reveal a more precise location.
 */
const roundedDecimals = 2;
/** Maximum rounding error of a private location, in meters. */
const roundingDistance = 1000;

/**
 * Returns the SQL expression for the rounded location of a row. Results are based only on this point, because callers could otherwise
 * triangulate the exact location.
 */
function roundedPointOf(cls: RecordClass, { latitude, longitude }: LocationOptions, row: RowReference): SqlExpression {
  const roundedColumn = (key: string) =>
    expression`round(${row.column(columnOf(metaOf(cls), key).column)}::numeric, ${constantSql(roundedDecimals)})::float8`;
  return expression`ll_to_earth(${roundedColumn(latitude)}, ${roundedColumn(longitude)})`;
}

/** Tolerance for floating-point errors, in meters, so that points on the edge of a circle match. */
const tolerance = 1e-6;

/**
 * Returns the condition for rows within a circle, nearest first. Private locations and their distances are rounded. The comparison uses the
 * straight-line distance through the Earth, which is in the index, to avoid trigonometric functions for each row. Constants are in separate
 * subqueries, because a generic plan would otherwise compute them for each row.
 */
function nearCondition(
  cls: RecordClass,
  location: LocationOptions,
  { unit, ...near }: Near,
  row: RowReference,
  caller: Caller,
  path: string,
): FilterCondition {
  checkNear(near, `${path}.`);
  const { latitude, longitude, distance } = near;
  const center = expression`ll_to_earth(${parameter(latitude)}::float8, ${parameter(longitude)}::float8)`;
  const radius = expression`${parameter(distance * metersPerUnit[unit])}::float8`;
  const exactPoint = pointOf(cls, location, row);
  const canSearch = location.visibleCondition?.(caller, row);
  const publicPoint = canSearch ? roundedPointOf(cls, location, row) : exactPoint;
  const distanceSql = expression`earth_distance((select ${center}), ${publicPoint})`;
  const boxRadius = canSearch ? expression`${radius} + ${constantSql(roundingDistance)}` : radius;
  const isInBox = expression`(select earth_box(${center}, ${boxRadius})::cube) @> ${exactPoint}`;
  const isInRadius = expression`cube_distance((select ${center}::cube), ${publicPoint}) <= (select gc_to_sec(${radius}) + ${constantSql(tolerance)})`;
  const distanceInUnits = expression`${distanceSql} / ${constantSql(metersPerUnit[unit])}`;
  const where = allOf([...(canSearch ? [canSearch] : []), isInBox, isInRadius]);
  return {
    where,
    // The branch sorts all matching rows before it reads the selected columns of the nearest ones.
    branches: [{ where }],
    rank: () => ({ sql: expression`${distanceSql}::float8` }),
    distance: canSearch ? expression`round(${distanceInUnits})::float8` : expression`(${distanceInUnits})::float8`,
  };
}

/** Returns the filter `near` of a record with locations. */
export const nearFilter = (cls: RecordClass, location: LocationOptions): CustomFilter => ({
  type: () => Near,
  description:
    'Within a circle, by default nearest first. The field `distance` of a result is its distance from the center, in `near.unit`.',
  sql: (near: Near, row, caller, path) => nearCondition(cls, location, near, row, caller, path),
});
