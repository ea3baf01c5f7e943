import slugify from '@sindresorhus/slugify';
import { DateTime } from 'luxon';
import { timeZoneOffset } from '../../modules/tournaments/dates/time-zone-offset.js';
import { createSlots, type TournamentSlot } from '../calendar.js';
import type { DemoContext, DemoTools, DemoTournament } from '../context.js';

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
/** Base registration fees by currency. */
const fees: Record<string, number> = { USD: 65, CAD: 80, MXN: 900, GBP: 45, EUR: 50, AUD: 90, NZD: 95 };
/** Characters that codes may contain. Similar characters, such as O and 0, are excluded. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** Countries in the southern hemisphere. */
const southern = new Set(['AU', 'NZ']);
/** Countries with state abbreviations in addresses. */
const countriesWithStateCodes = new Set(['US', 'CA', 'AU']);

/** Part of the context that is needed to create tournaments. */
type TournamentContext = DemoTools & Pick<DemoContext, 'platform' | 'clubs' | 'tournaments'>;

/** Returns the season of the year. `isSouthern` means south of the equator. */
function seasonOf(date: DateTime, isSouthern: boolean): string {
  const quarter = Math.floor((date.month % 12) / 3);
  return ['Winter', 'Spring', 'Summer', 'Autumn'][(quarter + (isSouthern ? 2 : 0)) % 4] ?? '';
}

/**
 * Yields possible titles for a tournament in random order. Always consumes the same number of random values. Otherwise, the rest of the
 * season would depend on the date and on how many titles are read.
 */
function* titles({ faker, now }: TournamentContext, { homeCity: city, startsIn }: TournamentSlot): Generator<string> {
  const start = DateTime.fromJSDate(now).plus({ days: startsIn });
  const season = seasonOf(start, southern.has(city.country.alpha2));
  const prefixes = faker.helpers.shuffle(['', `${season} `]);
  for (const name of faker.helpers.shuffle(names)) {
    for (const prefix of prefixes) yield `${city.city} ${prefix}${name}`;
    yield `${city.city} ${season} ${name} ${start.year}`;
  }
}

function pickTitle(context: TournamentContext, slot: TournamentSlot, usedTitles: ReadonlySet<string>): string {
  const title = [...titles(context, slot)].find((candidate) => !usedTitles.has(candidate));
  if (!title) throw new Error(`All titles for tournaments in ${slot.homeCity.city} are in use.`);
  return title;
}

/** Loads lookup data: governing bodies, tier levels, time zones and states. */
async function loadLookups({ sql }: TournamentContext) {
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

type Lookups = Awaited<ReturnType<typeof loadLookups>>;

function sanctioning({ faker }: TournamentContext, { homeCity }: TournamentSlot, isFeatured: boolean, { bodies }: Lookups) {
  const codes = [homeCity.country.body, ...(isFeatured ? faker.helpers.arrayElements(['PPA', 'APP', 'MLP'], 1) : [])];
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

function createTournament(context: TournamentContext, slot: TournamentSlot, title: string, lookupRows: Lookups): DemoTournament {
  const { faker, day } = context;
  const { homeCity: city, startsIn, endsIn, opensIn, closesIn } = slot;
  const { timeZone, country } = city;
  const instantAt = (days: number, hour: number) => day(days, hour, timeZone);
  const zone = lookupRows.zones.get(timeZone);
  const localClub = faker.helpers.arrayElement(context.clubs.filter(({ homeCity }) => homeCity.city === city.city));
  const isFeatured = faker.datatype.boolean(0.12);
  const code = (length: number) => faker.string.fromCharacters(alphabet, length);
  const slug = slugify(title);
  const sponsor = faker.datatype.boolean(0.4) ? faker.company.name() : null;
  return {
    id: faker.string.uuid(),
    code: code(8),
    refereeCode: code(6),
    clubId: localClub.id,
    platform: context.platform.title,
    title,
    detailsUrl: `https://courtside.test/tournaments/${slug}`,
    format: faker.helpers.arrayElement(['DE', 'RR', 'SE', 'PP']),
    logoUrl: `https://courtside.test/logos/${slug}.png`,
    ticketsUrl: isFeatured ? `https://courtside.test/tickets/${slug}` : null,
    location: {
      city: city.city,
      country: country.title,
      state: countriesWithStateCodes.has(country.alpha2) ? city.state : lookupRows.states.get(`${country.id} ${city.state}`),
      streetAddress: faker.location.streetAddress(),
      venue: `${faker.helpers.arrayElement([city.city, faker.person.lastName()])} ${faker.helpers.arrayElement(venues)}`,
      zip: city.zip,
      latitude: Number((city.latitude + faker.number.float({ min: -0.03, max: 0.03 })).toFixed(5)),
      longitude: Number((city.longitude + faker.number.float({ min: -0.03, max: 0.03 })).toFixed(5)),
    },
    contact: {
      registration: 'For questions about your registration, send us your name and the event.',
      refunds: 'Full refunds until registration closes.',
      partnerChange: 'Partners can be changed until the draws are made.',
      volunteer: 'Volunteers get lunch and a shirt.',
      publicName: faker.person.fullName(),
      publicEmail: `${slug}@courtside.test`,
    },
    startsAt: instantAt(startsIn, 8),
    endsAt: instantAt(endsIn, 18),
    registrationOpensAt: instantAt(opensIn, 9),
    registrationClosesAt: instantAt(closesIn, 23),
    shownFrom: instantAt(opensIn - 14, 0),
    completedAt: endsIn < 0 ? instantAt(endsIn, 19) : null,
    createdAt: instantAt(opensIn - 30, 12),
    updatedAt: instantAt(Math.min(0, opensIn), 1),
    timeZone,
    timeZoneAbbreviation:
      timeZoneOffset(timeZone, instantAt(startsIn, 8)) === zone?.utc_offset ? zone?.abbreviation : zone?.daylight_abbreviation,
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
    tierLevelId: isFeatured ? faker.helpers.arrayElement(lookupRows.tiers) : null,
    ...sanctioning(context, slot, isFeatured, lookupRows),
    homeCity: city,
    startsIn,
    endsIn,
  };
}

/** Adds the tournaments to the context. A later step inserts them, after it has counted their registrations. */
export async function createTournaments(context: TournamentContext): Promise<void> {
  const lookupRows = await loadLookups(context);
  const usedTitles = new Set<string>(['Austin Open']);
  for (const slot of createSlots(context.faker)) {
    const isFlagship = context.tournaments.length === 0;
    const title = isFlagship ? 'Austin Open' : pickTitle(context, slot, usedTitles);
    usedTitles.add(title);
    const newTournament = createTournament(context, slot, title, lookupRows);
    context.tournaments.push(
      isFlagship
        ? {
            ...newTournament,
            id: 'demo-tournament',
            code: 'DEMOAUST',
            clubId: 'demo-club',
            isFeatured: true,
            isFeaturedPlus: true,
            hasPrizeMoney: true,
            isRegistrationClosed: false,
          }
        : newTournament,
    );
  }
}
