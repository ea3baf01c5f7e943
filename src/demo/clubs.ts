import slugify from '@sindresorhus/slugify';
import { Club } from '../modules/leagues/club.js';
import type { DemoClub, DemoContext } from './context.js';
import { continents, locationOf } from './places.js';

const kinds = ['Pickleball Club', 'Racquet Club', 'Tennis & Pickleball Center', 'Paddle Society', 'Recreation Center'];

/** Inserts five clubs in Austin, and two clubs in each other city. */
export async function insertClubs(context: DemoContext): Promise<void> {
  const { faker, insert, users } = context;
  for (const city of continents.flat()) {
    const count = city.city === 'Austin' ? 5 : 2;
    for (const kind of faker.helpers.arrayElements(kinds, count)) {
      const title = `${city.city} ${kind}`;
      const club: DemoClub = {
        id: title === 'Austin Pickleball Club' ? 'demo-club' : faker.string.uuid(),
        title,
        slug: slugify(title),
        firstContactId: faker.helpers.arrayElement(users).id,
        secondContactId: faker.helpers.arrayElement(users).id,
        contact: {
          registration: `Registration for events at ${title} closes three days before the first match.`,
          websiteAccount: 'Sign in with the e-mail address of your account.',
          refunds: 'Full refunds until registration closes, minus the processing fee.',
          other: `Visit the front desk in ${city.city}, or send us a message.`,
        },
        location: locationOf(city, title),
        homeCity: city,
      };
      context.clubs.push(club);
    }
  }
  await insert(Club, context.clubs);
}
