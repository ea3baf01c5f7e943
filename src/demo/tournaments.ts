import slugify from '@sindresorhus/slugify';
import { DateTime } from 'luxon';
import { timeZoneOffset } from '../modules/tournaments/time-zone-offset.js';
import { Tournament } from '../modules/tournaments/tournament.js';
import { calendar, type Slot } from './calendar.js';
import type { DemoTournament, Tools, World } from './world.js';

const names = ['Open', 'Classic', 'Masters', 'Invitational', 'Championships', 'Slam', 'Shootout', 'Festival', 'Cup', 'Challenge'];
const venues = [
  'Tennis Center',
  'Racquet Park',
  'Pickle Ranch',
  'Sports Complex',
  'Convention Center',
  'Athletic Club',
  'Paddle Yard',
];
const fees: Record<string, number> = { USD: 65, CAD: 80, MXN: 900, GBP: 45, EUR: 50, AUD: 90, NZD: 95 };
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const southern = new Set(['AU', 'NZ']);
/** Countries whose addresses contain an abbreviated state. */
const abbreviates = new Set(['US', 'CA', 'AU']);

/** Parts of a season from which its tournaments are made. */
type TournamentWorld = Tools & Pick<World, 'platform' | 'clubs' | 'tournaments'>;

/** Season of the year at an instant, north or south of the equator. */
function seasonOf(date: DateTime, south: boolean): string {
  const quarter = Math.floor((date.month % 12) / 3);
  return ['Winter', 'Spring', 'Summer', 'Autumn'][(quarter + (south ? 2 : 0)) % 4] ?? '';
}

/**
 * Titles for a tournament, in random order. Draws the same random numbers whatever the date and however many titles are taken, so that the
 * rest of the season does not depend on the date.
 */
function* titles({ faker, now }: TournamentWorld, { place, startsIn }: Slot): Generator<string> {
  const start = DateTime.fromJSDate(now).plus({ days: startsIn });
  const season = seasonOf(start, southern.has(place.country.alpha2));
  const prefixes = faker.helpers.shuffle(['', `${season} `]);
  for (const name of faker.helpers.shuffle(names)) {
    for (const prefix of prefixes) yield `${place.city} ${prefix}${name}`;
    yield `${place.city} ${season} ${name} ${start.year}`;
  }
}

function pickTitle(world: TournamentWorld, slot: Slot, taken: ReadonlySet<string>): string {
  const title = [...titles(world, slot)].find((candidate) => !taken.has(candidate));
  if (!title) throw new Error(`no title is left for a tournament in ${slot.place.city}`);
  return title;
}

/** IDs of bodies, tiers, time zones and states in the lookups. */
async function lookups({ sql }: TournamentWorld) {
  const bodies = await sql.run(sql.db.selectFrom('governing_body').select(['code', 'id']));
  const tiers = await sql.run(sql.db.selectFrom('tier_level').select('id').orderBy('id'));
  const zones = await sql.run(
    sql.db.selectFrom('time_zone').select(['iana_name', 'id', 'abbreviation', 'utc_offset', 'daylight_abbreviation']),
  );
  const states = await sql.run(sql.db.selectFrom('state').select(['country_id', 'abbreviation', 'title']));
  return {
    bodies: new Map(bodies.map(({ code, id }) => [code, id])),
    tiers: tiers.map(({ id }) => id),
    zones: new Map(zones.map((zone) => [zone.iana_name, zone])),
    states: new Map(states.map(({ country_id, abbreviation, title }) => [`${country_id} ${abbreviation}`, title])),
  };
}

type Lookups = Awaited<ReturnType<typeof lookups>>;

function sanctioning({ faker }: TournamentWorld, { place }: Slot, isFeatured: boolean, { bodies }: Lookups) {
  const codes = [place.country.body, ...(isFeatured ? faker.helpers.arrayElements(['PPA', 'APP', 'MLP'], 1) : [])];
  const level = faker.helpers.arrayElement(['Bronze', 'Silver', 'Gold', 'Platinum']);
  return {
    sanctions: codes.map((body) => ({
      body,
      isSanctioned: true,
      levelStatus: 'Approved',
      levelTitle: `${body} ${level}`,
      levelLogoUrl: null,
    })),
    approvals: codes.map((body) => ({
      governingBodyId: bodies.get(body) ?? null,
      status: 'Approved',
      sanctionLevelId: level.toLowerCase(),
    })),
  };
}

function tournament(world: TournamentWorld, slot: Slot, title: string, known: Lookups): DemoTournament {
  const { faker, day } = world;
  const { place, startsIn, endsIn, opensIn, closesIn } = slot;
  const { timeZone, country } = place;
  const at = (days: number, hour: number) => day(days, hour, timeZone);
  const zone = known.zones.get(timeZone);
  const local = faker.helpers.arrayElement(world.clubs.filter(({ place: { city } }) => city === place.city));
  const isFeatured = faker.datatype.boolean(0.12);
  const code = (length: number) => faker.string.fromCharacters(alphabet, length);
  const slug = slugify(title);
  const sponsor = faker.datatype.boolean(0.4) ? faker.company.name() : null;
  return {
    id: faker.string.uuid(),
    code: code(8),
    refereeCode: code(6),
    clubId: local.id,
    platform: world.platform.title,
    title,
    detailsUrl: `https://courtside.test/tournaments/${slug}`,
    format: faker.helpers.arrayElement(['DE', 'RR', 'SE', 'PP']),
    logoUrl: `https://courtside.test/logos/${slug}.png`,
    ticketsUrl: isFeatured ? `https://courtside.test/tickets/${slug}` : null,
    location: {
      city: place.city,
      country: country.title,
      state: abbreviates.has(country.alpha2) ? place.state : known.states.get(`${country.id} ${place.state}`),
      streetAddress: faker.location.streetAddress(),
      venue: `${faker.helpers.arrayElement([place.city, faker.person.lastName()])} ${faker.helpers.arrayElement(venues)}`,
      zip: place.zip,
      latitude: Number((place.latitude + faker.number.float({ min: -0.03, max: 0.03 })).toFixed(5)),
      longitude: Number((place.longitude + faker.number.float({ min: -0.03, max: 0.03 })).toFixed(5)),
    },
    contact: {
      registration: 'Questions about your entry? Tell us your name and the event.',
      refunds: 'Full refunds until registration closes.',
      partnerChange: 'Partners can be changed until the draws are made.',
      volunteer: 'Volunteers get lunch and a shirt.',
      publicName: faker.person.fullName(),
      publicEmail: `${slug}@courtside.test`,
    },
    startsAt: at(startsIn, 8),
    endsAt: at(endsIn, 18),
    registrationOpensAt: at(opensIn, 9),
    registrationClosesAt: at(closesIn, 23),
    shownFrom: at(opensIn - 14, 0),
    completedAt: endsIn < 0 ? at(endsIn, 19) : null,
    createdAt: at(opensIn - 30, 12),
    updatedAt: at(Math.min(0, opensIn), 1),
    timeZone,
    timeZoneAbbreviation:
      timeZoneOffset(timeZone, at(startsIn, 8)) === zone?.utc_offset ? zone?.abbreviation : zone?.daylight_abbreviation,
    timeZoneNumberRaw: Number(zone?.id),
    registrationFee: String((fees[country.currency] ?? 60) + faker.number.int({ max: 8 }) * 5),
    currency: country.currency,
    chargesPerEvent: faker.datatype.boolean(0.5),
    hasPrizeMoney: isFeatured || faker.datatype.boolean(0.1),
    isRegistrationClosed: endsIn < 0 || faker.datatype.boolean(0.03),
    hasOnlineRegistration: true,
    isCanceled: startsIn > 40 && faker.datatype.boolean(0.04),
    isFeatured,
    scoreCard: { minutesToNextMatch: 15, hidesReferees: faker.datatype.boolean(0.1) },
    titleSponsor: sponsor ? { title: sponsor, tagline: faker.company.catchPhrase(), url: faker.internet.url() } : {},
    clubSanctionLevelId: null,
    tierLevelId: isFeatured ? faker.helpers.arrayElement(known.tiers) : null,
    ...sanctioning(world, slot, isFeatured, known),
    place,
    startsIn,
    endsIn,
  };
}

/** Creates the tournaments, which are inserted after their registrations are counted. */
export async function makeTournaments(world: TournamentWorld): Promise<void> {
  const known = await lookups(world);
  const taken = new Set<string>(['Austin Open']);
  for (const slot of calendar(world.faker)) {
    const isFlagship = world.tournaments.length === 0;
    const title = isFlagship ? 'Austin Open' : pickTitle(world, slot, taken);
    taken.add(title);
    const made = tournament(world, slot, title, known);
    world.tournaments.push(
      isFlagship
        ? {
            ...made,
            id: 'demo-tournament',
            code: 'DEMOAUST',
            clubId: 'demo-club',
            isFeatured: true,
            isFeaturedPlus: true,
            hasPrizeMoney: true,
            isRegistrationClosed: false,
          }
        : made,
    );
  }
}

export const insertTournaments = ({ insert, tournaments }: World): Promise<void> => insert(Tournament, tournaments);
