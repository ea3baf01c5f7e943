import slugify from '@sindresorhus/slugify';
import { League } from '../modules/leagues/league.js';
import { LeagueListing } from '../modules/leagues/league-listing.js';
import { type DemoClub, type DemoContext, fixedOrRandomId } from './context.js';
import type { RecordDraft } from './insert-sql.js';
import { locationOf } from './places.js';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Sunday'];
const kinds = [
  { id: '1', title: 'Ladder', isFlexPlay: true },
  { id: '2', title: 'Round Robin', isFlexPlay: false },
  { id: '3', title: 'Team League', isFlexPlay: false },
];
const formats = [
  { id: '3', title: "Men's Doubles", group: '1', groupTitle: 'Men' },
  { id: '4', title: "Women's Doubles", group: '2', groupTitle: 'Women' },
  { id: '5', title: 'Mixed Doubles', group: '3', groupTitle: 'Mixed' },
];

/** Returns the UTC offset of a time zone at an instant, such as `-05:00`. */
const offsetOf = (timeZone: string, instant: Date): string =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).format(instant).replace(/.*GMT/, '') || '+00:00';

/** Inserts 80 leagues and their listings. Some leagues are open for registration, others are in progress. */
export async function insertLeagues({ faker, insert, day, now, clubs, users, user }: DemoContext): Promise<void> {
  const titles = new Set<string>();

  function createLeague(club: DemoClub, number: number): RecordDraft<League> & { id: string; title: string; slug: string } {
    const kind = faker.helpers.arrayElement(kinds);
    const format = faker.helpers.arrayElement(formats);
    const candidateTitles = faker.helpers
      .shuffle(days)
      .map((night) => `${club.homeCity.city} ${night} ${format.title} ${kind.title}`);
    const title = candidateTitles.find((name) => !titles.has(name)) ?? `${club.title} ${kind.title} ${number}`;
    titles.add(title);
    const startsIn = number === 0 ? 14 : faker.number.int({ min: -60, max: 60 });
    const { homeCity: city } = club;
    const memberFee = faker.number.int({ min: 4, max: 9 }) * 10;
    return {
      id: number === 0 ? 'demo-league' : faker.string.uuid(),
      slug: fixedOrRandomId('demo-league', number, slugify(title)),
      title,
      logoUrl: `https://courtside.test/leagues/${slugify(title)}.png`,
      clubId: club.id,
      clubTitle: club.title,
      clubLogoUrl: `https://courtside.test/clubs/${club.slug}.png`,
      formatId: format.id,
      formatTitle: format.title,
      playerGroupId: format.group,
      playerGroupTitle: format.groupTitle,
      typeId: kind.id,
      typeTitle: kind.title,
      playerTypeId: '1',
      playerTypeTitle: 'Adults',
      location: {
        ...locationOf(city, club.title),
        streetAddress: faker.location.streetAddress(),
      },
      locationId: `location-of-${club.slug}`,
      utcOffset: offsetOf(city.timeZone, now),
      hasDaylightSaving:
        offsetOf(city.timeZone, new Date(now.getFullYear(), 0)) !== offsetOf(city.timeZone, new Date(now.getFullYear(), 6)),
      sessionId: `session-${number + 1}`,
      sessionNumber: String(faker.number.int({ min: 1, max: 6 })),
      isLiveSession: startsIn <= 0,
      isFlexPlay: kind.isFlexPlay,
      shownFrom: day(startsIn - 60),
      registrationOpensAt: day(startsIn - 45),
      registrationClosesAt: day(startsIn - 3),
      signup: 'Online',
      hasOnlineRegistration: true,
      allowsNonMembers: number % 3 !== 0,
      currency: city.country.currency,
      memberFee: `${memberFee}`,
      nonMemberFee: `${memberFee + 15}`,
      registrationCount: String(faker.number.int({ min: 8, max: 64 })),
      isReadOnly: startsIn < -50,
    };
  }

  const home = clubs.filter(({ id }) => id === 'demo-club');
  const hosts = [...home, ...faker.helpers.multiple(() => faker.helpers.arrayElement(clubs), { count: 80 - home.length })];
  const leagues = hosts.map(createLeague);
  await insert(League, leagues);
  await insert(
    LeagueListing,
    leagues.map(
      ({ id, title, slug }, number): RecordDraft<LeagueListing> => ({
        id,
        slug,
        title,
        firstContactId: number === 0 ? user.id : faker.helpers.arrayElement(users).id,
        secondContactId: faker.helpers.arrayElement(users).id,
        contact: {
          registration: `Registration for ${title} closes three days before the first round.`,
          websiteAccount: 'Sign in with the e-mail address of your account.',
          refunds: 'Full refunds until the first round, minus the processing fee.',
          other: 'Contact one of the two organizers.',
        },
      }),
    ),
  );
}
