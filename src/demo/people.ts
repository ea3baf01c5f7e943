import { hash } from '@node-rs/argon2';
import slugify from '@sindresorhus/slugify';
import { Platform } from '../modules/accounts/platforms/platform.js';
import { PublishableKey } from '../modules/accounts/platforms/publishable-key.js';
import { OneTimeValue } from '../modules/accounts/tokens/one-time-value.js';
import { hashOf, keyHintOf, tokenHintOf } from '../modules/accounts/tokens/secrets.js';
import { UserToken } from '../modules/accounts/tokens/user-token.js';
import { User } from '../modules/accounts/users/user.js';
import type { DemoPeople, DemoTools, DemoUser } from './context.js';
import { aroundAustin, austin, type City, europe, northAmerica, oceania } from './places.js';
import { demo } from './tokens.js';

const playerCount = 4000;

/** Groups of cities where users live, weighted by their approximate share of tournaments in percent. */
const homeCities: readonly { weight: number; value: readonly City[] }[] = [
  { weight: 14, value: aroundAustin },
  { weight: 46, value: northAmerica },
  { weight: 24, value: europe },
  { weight: 16, value: oceania },
];

/** Creates a user. `number` makes the slug and the email address unique. */
function createUser({ faker, day }: DemoTools, number: number, overrides: Partial<DemoUser> = {}): DemoUser {
  const city = overrides.homeCity ?? faker.helpers.arrayElement(faker.helpers.weightedArrayElement([...homeCities]));
  const gender = faker.helpers.arrayElement(['F', 'M'] as const);
  const firstName = overrides.firstName ?? faker.person.firstName(gender === 'F' ? 'female' : 'male');
  const lastName = overrides.lastName ?? faker.person.lastName();
  const slug = `${slugify(`${firstName} ${lastName}`)}-${number}`;
  const age = faker.number.int({ min: 16, max: 74 });
  return {
    id: faker.string.uuid(),
    email: `${slug}@example.com`,
    firstName,
    lastName,
    nameSuffix: gender === 'M' && number % 60 === 0 ? 'Jr.' : null,
    gender,
    slug,
    phone: faker.phone.number({ style: 'international' }),
    phoneCountryId: city.country.id,
    dateOfBirth: day(-age * 365 - faker.number.int(364)),
    city: city.city,
    zip: city.zip,
    latitude: city.latitude,
    longitude: city.longitude,
    showsPlace: number % 2 === 1,
    stateId: '',
    countryId: city.country.id,
    verifiedAt: day(-1),
    createdAt: day(-faker.number.int({ min: 10, max: 900 }), faker.number.float({ max: 23, fractionDigits: 2 })),
    homeCity: city,
    rating: Math.min(
      6,
      Math.max(2.5, Math.round(faker.number.float({ min: 2.5, max: 5.2 }) * 100) / 100 + (number % 25 === 0 ? 0.8 : 0)),
    ),
    ...overrides,
  };
}

/** Email address of the demo user. */
const playerEmail = 'player@courtside.test';

async function insertTokens({ insert, day }: DemoTools, user: DemoUser, admin: DemoUser): Promise<DemoPeople['platform']> {
  const platform = {
    id: 'demo-platform',
    title: 'Courtside Demo',
    domain: 'courtside.test',
    allowedOrigins: ['http://localhost:3000', 'https://courtside.test'],
    tokenHash: hashOf(demo.platformToken),
    tokenHint: tokenHintOf(demo.platformToken),
  };
  await insert(Platform, [platform]);
  await insert(PublishableKey, [
    {
      id: 'demo-key',
      platformId: platform.id,
      label: 'Local development',
      allowedOrigins: ['http://localhost:*'],
      keyHash: hashOf(demo.publishableKey),
      hint: keyHintOf(demo.publishableKey),
    },
  ]);
  const expiresAt = day(3650);
  await insert(UserToken, [
    { id: 'demo-user-token', userId: user.id, tokenHash: hashOf(demo.userToken), expiresAt, device: 'demo' },
    { id: 'demo-admin-token', userId: admin.id, tokenHash: hashOf(demo.adminToken), expiresAt, device: 'demo' },
  ]);
  // The demo link is harmless: it confirms an email address that is already confirmed.
  const pendingChange = { address: playerEmail, from: playerEmail };
  await insert(OneTimeValue, [
    {
      id: 'demo-link',
      purpose: 'verifyEmail',
      userId: user.id,
      valueHash: hashOf('demo-link'),
      expiresAt,
      attempts: 0,
      pending: pendingChange,
    },
  ]);
  return platform;
}

/** Inserts the players, and the platform, user and admin that own the demo tokens. */
export async function insertPeople(tools: DemoTools): Promise<DemoPeople> {
  const { sql, insert } = tools;
  const roles = new Map((await sql.run(sql.db.selectFrom('role').select(['title', 'id']))).map(({ title, id }) => [title, id]));
  const passwordHash = await hash(demo.adminPassword);
  const user = createUser(tools, 1, {
    id: 'demo-user',
    email: playerEmail,
    firstName: 'Maya',
    lastName: 'Torres',
    slug: 'maya-torres',
    gender: 'F',
    nameSuffix: null,
    homeCity: austin,
    rating: 4.12,
    passwordHash,
    roleIds: [roles.get('CONTENT_CREATOR') ?? ''],
  });
  const admin = createUser(tools, 2, {
    id: 'demo-admin',
    email: demo.adminEmail,
    firstName: 'Robin',
    lastName: 'Whitfield',
    slug: 'robin-whitfield',
    homeCity: austin,
    isSuperAdmin: true,
    passwordHash,
    roleIds: [...roles.values()],
  });
  const otherUsers = Array.from({ length: playerCount - 1 }, (_, index) => createUser(tools, index + 3));
  for (const user of otherUsers.slice(400, 402))
    Object.assign(user, { lockedAt: tools.day(-5, 10), lockReason: 'Sent advertising to other players' });
  for (const referee of otherUsers.slice(0, 300)) referee.roleIds = [roles.get('REFEREE') ?? ''];
  const players = [user, ...otherUsers];
  const users = [admin, ...players];
  const states = await sql.run(sql.db.selectFrom('state').select(['id', 'country_id', 'abbreviation']));
  const stateIds = new Map(states.map(({ id, country_id, abbreviation }) => [`${country_id} ${abbreviation}`, id]));
  for (const demoUser of users) demoUser.stateId = stateIds.get(`${demoUser.countryId} ${demoUser.homeCity.state}`) ?? '';
  await insert(User, users);
  return { platform: await insertTokens(tools, user, admin), user, admin, users, players };
}
