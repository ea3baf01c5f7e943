import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const cities = ['Austin', 'Berlin', 'Chicago', 'Denver', 'Fresno', 'Geneva', 'Houston', 'Isfahan', 'Jakarta', 'Kraków'] as const;
const kinds = ['Open', 'Classic', 'Masters', 'Invitational', 'Championships', 'Slam', 'Shootout', 'Festival', 'Cup'] as const;
const names = [
  'Koepp',
  'Abernathy',
  'Okafor',
  'Lindqvist',
  'Nakamura',
  'Fitzgerald',
  'Zieliński',
  "O'Hara",
  'Delacroix',
] as const;

/** Returns the same UUID for the same kind and number. */
function uuid(kind: string, number: number): string {
  const hex = createHash('md5').update(`${kind}${number}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns a number from 0 to 0.4 that is always the same for the same purpose and number. */
const scatter = (purpose: string, number: number): number =>
  (Number.parseInt(uuid(purpose, number).slice(0, 4), 16) / 65_536) * 0.4;

const pick = (values: readonly string[], number: number): string => values[number % values.length] ?? '';
const day = 86_400_000;
const iso = (time: number): string => new Date(time).toISOString();
const firstDay = Date.UTC(2022, 0, 1);

function user(number: number): object {
  return {
    id: uuid('user', number),
    email: `player${number}@example.com`,
    first_name: pick(['Ana', 'Bob', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus'], number),
    last_name: `${pick(names, number)} ${number % 997}`,
    slug: `player-${number}`,
    phone: `+1512555${String(number % 10_000).padStart(4, '0')}`,
    gender: number % 2 ? 'F' : 'M',
    date_of_birth: iso(Date.UTC(1950, 0, 1) + (number % 20_000) * day),
    city: pick(cities, number),
    zip: String(10_000 + (number % 80_000)),
    verified_at: iso(firstDay + (number % 1000) * day),
    password_hash: `$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy`,
    created_at: iso(firstDay + (number % 1000) * day),
    updated_at: iso(firstDay + (number % 1100) * day),
    created_by: 'Legacy',
  };
}

function tournament(number: number): object {
  const start = firstDay + (number % 2000) * day + 9 * 3_600_000;
  return {
    id: uuid('tournament', number),
    code: number.toString(16).toUpperCase().padStart(8, 'K'),
    referee_code: number.toString(16).toUpperCase().padStart(6, 'R'),
    title: `${pick(names, number * 7)} ${pick(cities, number)} ${pick(kinds, number * 3)} ${2022 + (number % 6)}`,
    details_url: `https://example.com/tournaments/${number}`,
    logo_url: `https://example.com/logos/${number}.png`,
    format: 'Doubles',
    location_venue: `${pick(cities, number)} Racquet Park`,
    location_street_address: `${number % 1000} Main Street`,
    location_city: pick(cities, number),
    location_state: 'Texas',
    location_country: 'United States',
    location_zip: String(10_000 + (number % 80_000)),
    // The locations are scattered around the cities. Points on a line would make imports slow, because the location index
    // would split its pages badly.
    location_latitude: 26 + (number % cities.length) * 2 + scatter('latitude', number),
    location_longitude: -120 + (number % cities.length) * 5 + scatter('longitude', number),
    starts_at: iso(start),
    ends_at: iso(start + (1 + (number % 4)) * day),
    registration_opens_at: iso(start - 90 * day),
    registration_closes_at: iso(start - 3 * day),
    reported_created_at: iso(start - 200 * day),
    reported_created_by: 'Organizer',
    time_zone: pick(['America/Chicago', 'Europe/Berlin', 'America/Denver', 'UTC'], number),
    registration_fee: `${40 + (number % 60)}.50`,
    currency: 'USD',
    has_prize_money: number % 5 === 0,
    is_featured: number % 50 === 0,
    is_canceled: number % 60 === 0,
    contact_other: 'Write to the organizer for questions about schedules, courts and refunds.',
    sanctions: number % 4 === 0 ? [{ body: 'USAP', isSanctioned: true, levelStatus: 'Approved', levelTitle: 'Gold' }] : [],
    approvals: number % 4 === 0 ? [{ governingBodyId: '8', status: 'Approved', sanctionLevelId: 'gold' }] : [],
    created_at: iso(start - 200 * day),
    updated_at: iso(start - 100 * day),
    created_by: 'Legacy',
    created_by_id: uuid('user', number),
  };
}

function registration(number: number): object {
  const created = iso(firstDay + (number % 2000) * day);
  return {
    id: uuid('registration', number),
    tournament_id: uuid('tournament', (number * 7) % 1000),
    user_id: uuid('user', number),
    reported_created_at: created,
    reported_created_by: 'Player',
    update_location: 'checkout',
    has_partner: number % 2 === 0,
    created_at: created,
    updated_at: created,
    created_by_id: uuid('user', number),
  };
}

const generators = { app_user: user, tournament, registration } as const;

export type GeneratedTable = keyof typeof generators;

/** Writes a file with rows of a table, from row 0. */
export async function generateFile(directory: string, table: GeneratedTable, count: number): Promise<void> {
  function* lines(): Generator<string> {
    for (let number = 0; number < count; number++) yield `${JSON.stringify(generators[table](number))}\n`;
  }
  await pipeline(Readable.from(lines()), createWriteStream(join(directory, `${table}.ndjson`)));
}
