import type { Faker } from '@faker-js/faker';
import { aroundAustin, austin, type City, europe, northAmerica, oceania } from './places.js';

/** City and dates of a tournament. The dates are in days from today. Registration is open from `opensIn` to `closesIn`. */
export interface TournamentSlot {
  homeCity: City;
  startsIn: number;
  endsIn: number;
  opensIn: number;
  closesIn: number;
}

const otherCities: readonly { weight: number; value: readonly City[] }[] = [
  { weight: 50, value: northAmerica },
  { weight: 30, value: europe },
  { weight: 20, value: oceania },
];

/** Number of tournaments in and outside the Austin area that start within a range of days from today. */
const ranges: readonly { from: number; to: number; inAustin: number; outsideAustin: number }[] = [
  { from: -400, to: -5, inAustin: 14, outsideAustin: 152 },
  { from: -2, to: -1, inAustin: 2, outsideAustin: 22 },
  { from: 5, to: 29, inAustin: 24, outsideAustin: 40 },
  { from: 30, to: 110, inAustin: 12, outsideAustin: 84 },
  { from: 111, to: 240, inAustin: 4, outsideAustin: 46 },
];

function createSlot(faker: Faker, city: City, startsIn: number): TournamentSlot {
  const isPlaying = startsIn < 0 && startsIn > -5;
  const endsIn = startsIn + (isPlaying ? faker.number.int({ min: 3, max: 4 }) : faker.number.int({ min: 0, max: 3 }));
  return {
    homeCity: city,
    startsIn,
    endsIn,
    opensIn: startsIn - faker.number.int({ min: 90, max: 130 }),
    closesIn: startsIn - faker.number.int({ min: 2, max: 4 }),
  };
}

/** Creates 400 slots. The first slot is for the Austin Open, which starts in three weeks. */
export function createSlots(faker: Faker): TournamentSlot[] {
  const slots = ranges.flatMap(({ from, to, inAustin, outsideAustin }) => [
    ...Array.from({ length: inAustin }, () =>
      createSlot(faker, faker.helpers.arrayElement(aroundAustin), faker.number.int({ min: from, max: to })),
    ),
    ...Array.from({ length: outsideAustin }, () => {
      const city = faker.helpers.arrayElement(faker.helpers.weightedArrayElement([...otherCities]));
      return createSlot(faker, city, faker.number.int({ min: from, max: to }));
    }),
  ]);
  const flagship = { homeCity: austin, startsIn: 21, endsIn: 23, opensIn: -60, closesIn: 18 };
  return [flagship, ...slots.filter((_, index) => index !== slots.length - 1)];
}
