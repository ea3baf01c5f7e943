import { Field, Float, InputType, registerEnumType } from 'type-graphql';

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
