import slugify from '@sindresorhus/slugify';
import { Club } from '../modules/leagues/club.js';
import { continents, locationOf } from './places.js';
import type { DemoClub, World } from './world.js';

const kinds = ['Pickleball Club', 'Racquet Club', 'Tennis & Pickleball Center', 'Paddle Society', 'Recreation Center'];

/** Inserts two clubs per city, and more in Austin. */
export async function demoClubs(world: World): Promise<void> {
  const { faker, insert, users } = world;
  for (const place of continents.flat()) {
    const count = place.city === 'Austin' ? 5 : 2;
    for (const kind of faker.helpers.arrayElements(kinds, count)) {
      const title = `${place.city} ${kind}`;
      const club: DemoClub = {
        id: title === 'Austin Pickleball Club' ? 'demo-club' : faker.string.uuid(),
        title,
        slug: slugify(title),
        firstContactId: faker.helpers.arrayElement(users).id,
        secondContactId: faker.helpers.arrayElement(users).id,
        contact: {
          registration: `Entries for events at ${title} close three days before the first match.`,
          websiteAccount: 'Sign in with the e-mail address that you registered with.',
          refunds: 'Full refunds until registration closes, minus the processing fee.',
          other: `Ask at the desk in ${place.city}, or send us a message.`,
        },
        location: locationOf(place, title),
        place,
      };
      world.clubs.push(club);
    }
  }
  await insert(Club, world.clubs);
}
