import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { columnsOf, metaOf } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';

let app: TestApp;
let ana: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person();
});
afterAll(() => app.close());

const versioned = modules.flatMap(({ records }) => records).filter((cls) => optionsOf(cls).versioned);

/** The data, or the code of the error with the version that is now. */
async function ask(query: string, tokens: Tokens = app.platform) {
  const { body } = await app.rest('POST', '/graphql', tokens, { query });
  const { code, currentVersion } = body.errors?.[0].extensions ?? {};
  return code ? [code, currentVersion] : body.data.it;
}

interface Written {
  name: string;
  make: () => Promise<{ id: string; version: number }>;
  /** The arguments and the selection come behind it. */
  change: (id: string, value: string, args: string) => string;
  by: () => Tokens;
}

const own = async () => {
  const person = await app.person();
  const { version } = await ask('{ it: viewer { version } }', person);
  return { ...person, version };
};
let writer: Person;
const writes: Written[] = [
  ...['Tournament', 'Event'].flatMap((type): Written[] => {
    const make = () => ask(`mutation { it: create${type}(input: { title: "made" }) { id version } }`);
    const by = () => app.platform;
    return [
      {
        name: `update${type}`,
        make,
        by,
        change: (id, title, args) => `update${type}(id: "${id}", input: { title: "${title}" }${args}) { version value: title }`,
      },
      {
        name: `upsert${type}`,
        make,
        by,
        change: (id, title, args) => `upsert${type}(input: { id: "${id}", title: "${title}" }${args}) { version value: title }`,
      },
    ];
  }),
  {
    name: 'updateGame',
    by: () => ana,
    make: () => ask('mutation { it: scheduleGame(input: { title: "made", invitedIds: ["x"] }) { id version } }', ana),
    change: (id, title, args) => `updateGame(id: "${id}", input: { title: "${title}" }${args}) { version value: title }`,
  },
  {
    name: 'updateProfile',
    by: () => writer,
    make: async () => {
      const person = await own();
      writer = person;
      return person;
    },
    change: (_, city, args) => `updateProfile(input: { firstName: "${city}" }${args}) { version value: firstName }`,
  },
  {
    name: 'upsertUser',
    by: () => app.platform,
    make: own,
    change: (id, city, args) => `upsertUser(input: { id: "${id}", firstName: "${city}" }${args}) { version value: firstName }`,
  },
];

describe.each(writes)('$name', ({ make, change, by }) => {
  const write = (id: string, value: string, ifVersion?: number) =>
    ask(`mutation { it: ${change(id, value, ifVersion === undefined ? '' : `, ifVersion: ${ifVersion}`)} }`, by());

  test('changes what was read, gives the version that it has then, and refuses who has read another one', async () => {
    const { id, version } = await make();
    const first = await write(id, 'first', version);
    expect([first.value, first.version > version]).toEqual(['first', true]);
    expect(await write(id, 'stale', version)).toEqual(['CONFLICT', first.version]);
    expect(await write(id, 'second', first.version)).toMatchObject({ value: 'second' });
  });

  test('changes whatever is there without a version, and counts that', async () => {
    const { id, version } = await make();
    const changed = await write(id, 'changed');
    expect(await write(id, 'stale', version)).toEqual(['CONFLICT', changed.version]);
  });

  test('of eight writers at the same moment one has the version, and the others the one that is now', async () => {
    const { id, version } = await make();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, number) => write(id, `writer ${number}`, version)));
    const [done, ...others] = answers.filter((answer) => !Array.isArray(answer));
    expect([done?.version > version, others]).toEqual([true, []]);
    expect(answers.filter(Array.isArray)).toEqual(Array(7).fill(['CONFLICT', done?.version]));
  });
});

test('with a version nothing is created', async () => {
  expect([
    await ask('mutation { it: upsertTournament(input: { id: "none", title: "x" }, ifVersion: 1) { id } }'),
    await ask('mutation { it: updateTournament(id: "none", input: { title: "x" }, ifVersion: 1) { id } }'),
    await ask('mutation { it: upsertUser(input: { id: "none", firstName: "x" }, ifVersion: 1) { id } }'),
    await ask('mutation { it: upsertTournament(input: { title: "x" }, ifVersion: 1) { id } }'),
    await ask('{ it: tournament(id: "none") { id } }'),
  ]).toEqual([['NOT_FOUND', undefined], ['NOT_FOUND', undefined], ['NOT_FOUND', undefined], ['BAD_INPUT', undefined], null]);
});

test('a change by /v1 counts, and needs no version', async () => {
  const { id, version } = await own();
  await app.rest('POST', '/v1/users/upsert', app.platform, { payload: { uuid: id, firstName: 'Legacy' } });
  const now = await ask(`{ it: user(id: "${id}") { version } }`);
  expect([
    now.version > version,
    await ask(`mutation { it: upsertUser(input: { id: "${id}", firstName: "x" }, ifVersion: ${version}) { id } }`),
  ]).toEqual([true, ['CONFLICT', now.version]]);
});

test('who joins a game changes it, because its owner names who plays', async () => {
  const { id, version } = await ask('mutation { it: scheduleGame(input: { title: "open" }) { id version } }', ana);
  const guest = await app.person();
  const joined = await ask(`mutation { it: optIn(gameId: "${id}") { version } }`, guest);
  const again = await ask(`mutation { it: optIn(gameId: "${id}") { version } }`, guest);
  expect([
    joined.version > version,
    again.version === joined.version,
    await ask(`mutation { it: updateGame(id: "${id}", input: { playerIds: [] }, ifVersion: ${version}) { id } }`, ana),
  ]).toEqual([true, true, ['CONFLICT', joined.version]]);
});

test('the version that a mutation gives is the one that it leaves, in however many steps it writes', async () => {
  const guest = await app.person();
  const input = (title: string) =>
    `{ title: "${title}", playerIds: ["${guest.id}"], invitedIds: ["y"], invitedEmails: ["z@example.com"] }`;
  const made = await ask(`mutation { it: scheduleGame(input: ${input('made')}) { id version } }`, ana);
  const read = () => ask(`{ it: game(id: "${made.id}") { version } }`, ana);
  const afterMaking = await read();
  const change = `updateGame(id: "${made.id}", input: { title: "b", playerIds: [], invitedIds: [] }, ifVersion: ${made.version})`;
  const changed = await ask(`mutation { it: ${change} { version } }`, ana);
  expect([made.version, changed.version]).toEqual([afterMaking.version, (await read()).version]);
});

test('no statement of a module changes what clients write of a record without counting its version', () => {
  const columns = new Map(
    versioned.map((cls) => [
      optionsOf(cls).table,
      [...columnsOf(metaOf(cls)).values()].filter(({ field }) => !field.readOnly && !field.secret).map(({ column }) => column),
    ]),
  );
  const changes = readdirSync('src/modules', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join('src/modules', file), 'utf8');
      const typed = [...text.matchAll(/updateTable\('(\w+)(?: as \w+)?'\)\s*\.set\(\{(.*?)\}\)/gs)];
      const written = [...text.matchAll(/\bupdate (\w+)(?: as \w+)? set (.*?)(?: where |`)/gs)];
      return [...typed, ...written].map(([, table = '', set = '']) => ({ file, table, set }));
    });
  expect(changes.length).toBeGreaterThan(5);
  const uncounted = changes.filter(
    ({ table, set }) =>
      !/\bversion\b/.test(set) && columns.get(table)?.some((column) => new RegExp(`\\b${column}\\b *[:=]`).test(set)),
  );
  expect(uncounted).toEqual([]);
});
