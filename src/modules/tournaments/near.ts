import { Field, Float, InputType, registerEnumType } from 'type-graphql';
import { reject } from '../../kernel/declare/errors.js';
import { allOf } from '../../kernel/declare/problems.js';
import { heldBy } from '../../kernel/write/input.js';

export const DistanceUnit = { KILOMETERS: 'KILOMETERS', MILES: 'MILES' } as const;
registerEnumType(DistanceUnit, {
  name: 'DistanceUnit',
  description: 'A unit of distance.',
  valuesConfig: { KILOMETERS: { description: '1,000 metres.' }, MILES: { description: '1,609.344 metres.' } },
});

/** Names all of a circle that is out of bounds. */
export function checkNear(near: Partial<Near>, path: string): void {
  const within = (field: 'latitude' | 'longitude' | 'distance', low: number, high: number) => () => {
    const { [field]: value = low } = near;
    if (value < low || value > high) reject(path + field, `a number from ${low} to ${high}`);
  };
  allOf(within('latitude', -90, 90), within('longitude', -180, 180), within('distance', 0, 100_000));
}

@heldBy(checkNear)
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
