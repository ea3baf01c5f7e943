import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { columnsOf, metaOf } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/servers/app.js';

let app: TestApp;
let ana: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
});
afterAll(() => app.close());

const versioned = modules.flatMap(({ records }) => records).filter((cls) => optionsOf(cls).versioned);

/** Returns the data of the field `it`, or the code of the first error and the current version of the record. */
async function run(query: string, tokens: Tokens = app.platform) {
  const { body } = await app.rest('POST', '/graphql', tokens, { query });
  const { code, currentVersion } = body.errors?.[0].extensions ?? {};
  return code ? { code, currentVersion } : body.data.it;
}

interface Mutation {
  name: string;
  create: () => Promise<{ id: string; version: number }>;
  /** Returns the mutation field with its arguments, followed by `args`, and its selection. */
  change: (id: string, value: string, args: string) => string;
  caller: () => Tokens;
}

const newUser = async () => {
  const person = await app.person();
  const { version } = await run('{ it: viewer { version } }', person);
  return { ...person, version };
};
let profileOwner: Person;
const mutations: Mutation[] = [
  ...['Tournament', 'Event'].flatMap((type): Mutation[] => {
    const create = () => run(`mutation { it: create${type}(input: { title: "made" }) { id version } }`);
    const caller = () => app.platform;
    return [
      {
        name: `update${type}`,
        create,
        caller,
        change: (id, title, args) => `update${type}(id: "${id}", input: { title: "${title}" }${args}) { version value: title }`,
      },
      {
        name: `upsert${type}`,
        create,
        caller,
        change: (id, title, args) => `upsert${type}(input: { id: "${id}", title: "${title}" }${args}) { version value: title }`,
      },
    ];
  }),
  {
    name: 'updateGame',
    caller: () => ana,
    create: () =>
      run(
        `mutation { it: scheduleGame(input: { title: "made", startsAt: "2041-06-02T14:30:00Z", invitedIds: ["${ana.id}"] }) { id version } }`,
        ana,
      ),
    change: (id, title, args) => `updateGame(id: "${id}", input: { title: "${title}" }${args}) { version value: title }`,
  },
  {
    name: 'updateProfile',
    caller: () => profileOwner,
    create: async () => {
      const person = await newUser();
      profileOwner = person;
      return person;
    },
    change: (_, firstName, args) => `updateProfile(input: { firstName: "${firstName}" }${args}) { version value: firstName }`,
  },
  {
    name: 'upsertUser',
    caller: () => app.platform,
    create: newUser,
    change: (id, firstName, args) =>
      `upsertUser(input: { id: "${id}", firstName: "${firstName}" }${args}) { version value: firstName }`,
  },
];

describe.each(mutations)('$name', ({ create, change, caller }) => {
  const write = (id: string, value: string, ifVersion?: number) =>
    run(`mutation { it: ${change(id, value, ifVersion === undefined ? '' : `, ifVersion: ${ifVersion}`)} }`, caller());

  test('updates the version that the client has read, returns the new version and rejects an outdated one', async () => {
    const { id, version } = await create();
    const first = await write(id, 'first', version);
    expect(first.value).toBe('first');
    expect(first.version).toBeGreaterThan(version);
    expect(await write(id, 'stale', version)).toEqual({ code: 'CONFLICT', currentVersion: first.version });
    expect(await write(id, 'second', first.version)).toMatchObject({ value: 'second' });
  });

  test('updates any version without ifVersion, and increments it', async () => {
    const { id, version } = await create();
    const changed = await write(id, 'changed');
    expect(await write(id, 'stale', version)).toEqual({ code: 'CONFLICT', currentVersion: changed.version });
  });

  test('succeeds for one of eight concurrent clients and returns the current version to the others', async () => {
    const { id, version } = await create();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, number) => write(id, `writer ${number}`, version)));
    const [success, ...moreSuccesses] = answers.filter(({ code }) => code === undefined);
    expect(success?.version).toBeGreaterThan(version);
    expect(moreSuccesses).toEqual([]);
    expect(answers.filter(({ code }) => code !== undefined)).toEqual(
      Array(7).fill({ code: 'CONFLICT', currentVersion: success?.version }),
    );
  });
});

test('an upsert or update with ifVersion creates no record', async () => {
  const notFound = { code: 'NOT_FOUND', currentVersion: undefined };
  expect({
    upsertTournament: await run('mutation { it: upsertTournament(input: { id: "none", title: "x" }, ifVersion: 1) { id } }'),
    updateTournament: await run('mutation { it: updateTournament(id: "none", input: { title: "x" }, ifVersion: 1) { id } }'),
    upsertUser: await run('mutation { it: upsertUser(input: { id: "none", firstName: "x" }, ifVersion: 1) { id } }'),
    upsertWithoutId: await run('mutation { it: upsertTournament(input: { title: "x" }, ifVersion: 1) { id } }'),
    read: await run('{ it: tournament(id: "none") { id } }'),
  }).toEqual({
    upsertTournament: notFound,
    updateTournament: notFound,
    upsertUser: notFound,
    upsertWithoutId: { code: 'BAD_INPUT', currentVersion: undefined },
    read: null,
  });
});

test('a /v1 write needs no version and increments it', async () => {
  const { id, version } = await newUser();
  await app.rest('POST', '/v1/users/upsert', app.platform, { payload: { uuid: id, firstName: 'Legacy' } });
  const current = await run(`{ it: user(id: "${id}") { version } }`);
  expect(current.version).toBeGreaterThan(version);
  expect(await run(`mutation { it: upsertUser(input: { id: "${id}", firstName: "x" }, ifVersion: ${version}) { id } }`)).toEqual({
    code: 'CONFLICT',
    currentVersion: current.version,
  });
});

test('joining a game increments its version once', async () => {
  const { id, version } = await run(
    'mutation { it: scheduleGame(input: { title: "open", startsAt: "2041-06-02T14:30:00Z" }) { id version } }',
    ana,
  );
  const guest = await app.person();
  const join = () => run(`mutation { it: optIn(gameId: "${id}") { version } }`, guest);
  const joined = await join();
  expect(joined.version).toBeGreaterThan(version);
  expect({
    joinedAgain: (await join()).version,
    staleUpdate: await run(
      `mutation { it: updateGame(id: "${id}", input: { playerIds: [] }, ifVersion: ${version}) { id } }`,
      ana,
    ),
  }).toEqual({ joinedAgain: joined.version, staleUpdate: { code: 'CONFLICT', currentVersion: joined.version } });
});

test('a mutation returns the final version, for any number of statements', async () => {
  const guest = await app.person();
  const input = (title: string) =>
    `{ title: "${title}", startsAt: "2041-06-02T14:30:00Z", playerIds: ["${guest.id}"], invitedIds: ["${ana.id}"], invitedEmails: ["z@example.com"] }`;
  const created = await run(`mutation { it: scheduleGame(input: ${input('made')}) { id version } }`, ana);
  const storedVersion = async () => (await run(`{ it: game(id: "${created.id}") { version } }`, ana)).version;
  const storedAfterCreation = await storedVersion();
  const change = `updateGame(id: "${created.id}", input: { title: "b", playerIds: [], invitedIds: [] }, ifVersion: ${created.version})`;
  const updated = await run(`mutation { it: ${change} { version } }`, ana);
  expect({ created: created.version, updated: updated.version }).toEqual({
    created: storedAfterCreation,
    updated: await storedVersion(),
  });
});

test('every update statement of a module that changes writable columns increments the version', () => {
  const columns = new Map(
    versioned.map((cls) => [
      optionsOf(cls).table,
      [...columnsOf(metaOf(cls)).values()].filter(({ field }) => !field.readOnly && !field.secret).map(({ column }) => column),
    ]),
  );
  const updates = readdirSync('src/modules', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join('src/modules', file), 'utf8');
      const builtUpdates = [...text.matchAll(/updateTable\('(\w+)(?: as \w+)?'\)\s*\.set\(\{(.*?)\}\)/gs)];
      const textUpdates = [...text.matchAll(/\bupdate (\w+)(?: as \w+)? set (.*?)(?: where |`)/gs)];
      return [...builtUpdates, ...textUpdates].map(([, table = '', set = '']) => ({ file, table, set }));
    });
  expect(updates.length).toBeGreaterThan(5);
  const withoutVersion = updates.filter(
    ({ table, set }) =>
      !/\bversion\b/.test(set) && columns.get(table)?.some((column) => new RegExp(`\\b${column}\\b *[:=]`).test(set)),
  );
  expect(withoutVersion).toEqual([]);
});
