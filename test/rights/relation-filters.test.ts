import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { relationSteps } from '../../src/kernel/read/steps.js';
import { modules } from '../../src/modules/index.js';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';
import { newKey } from '../support/keys.js';

let app: TestApp;
let callers: Tokens[];
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana' });
  ben = await app.person({ firstName: 'Ben' });
  callers = [app.platform, { platform: (await newKey(app)).key }, { user: ana.user }];
});
afterAll(() => app.close());

const records = modules.flatMap((module) => module.records);
const opens = (cls: (typeof records)[number], field: 'one' | 'many') => optionsOf(cls).rootFields?.includes(field) ?? true;

/** Which of some root fields are refused, each with its message. */
async function refused(fields: readonly string[], tokens: Tokens): Promise<Map<string, string>> {
  const query = `{ ${fields.map((field, index) => `f${index}: ${field}`).join('\n')} }`;
  const { body } = await app.rest('POST', '/graphql', tokens, { query });
  const errors: { path?: string[]; message: string; extensions: { code: string } }[] = body.errors ?? [];
  for (const { extensions, message } of errors) expect(extensions.code, message).toBe('FORBIDDEN');
  return new Map(errors.map(({ path, message }) => [fields[Number(path?.[0]?.slice(1))] ?? '', message]));
}

test('a step to a record is refused to those who may not read it, and its path is told', async () => {
  let told = 0;
  for (const tokens of callers)
    for (const cls of records.filter((record) => opens(record, 'many'))) {
      const { many } = optionsOf(cls);
      const plain = `${many}(first: 0) { totalCount }`;
      if ((await refused([plain], tokens)).size) continue;
      const steps = [...relationSteps(cls)].filter(([, { target }]) => opens(target, 'one'));
      const fields = steps.map(
        ([name, { isList }]) => `${many}(first: 0, filter: { ${name}: ${isList ? '{ some: {} }' : '{}'} }) { totalCount }`,
      );
      const reads = steps.map(([, { target }]) => `${optionsOf(target).one}(id: "x") { id }`);
      if (steps.length === 0) continue;
      const [found, known] = [await refused(fields, tokens), await refused(reads, tokens)];
      const paths = fields.map((field) => /^filter\.\w+(\.\w+)?(?=: only for: )/.exec(found.get(field) ?? '')?.[0] ?? null);
      expect([many, paths]).toEqual([
        many,
        steps.map(([name], index) => (known.has(reads[index] ?? '') ? `filter.${name}` : null)),
      ]);
      told += paths.filter(Boolean).length;
    }
  expect(told).toBeGreaterThan(20);
}, 60_000);

describe('what a caller does not see meets no condition', () => {
  const count = async (many: string, filter: string, tokens: Tokens = { user: ana.user }) => {
    const answer = await app.graphql(`{ found: ${many}(filter: ${filter}) { totalCount } }`, {}, tokens);
    return answer.found?.totalCount ?? answer.errors;
  };

  beforeAll(async () => {
    await app.graphql(`mutation {
      a: createRegistration(input: { id: "bens", userId: "${ben.id}" }) { id }
      b: createInvoice(input: { id: "bens-invoice", userId: "${ben.id}", registrationId: "bens" }) { id }
      c: createInvoiceItem(input: { invoiceId: "bens-invoice" }) { id }
    }`);
    const game = (id: string, more: string) =>
      app.sql.rows(`insert into game (id, owner_id, title, player_ids, parent_id, is_invite_only, invited_ids)
        values ('${id}', '${ben.id}', '${id}', '{${ben.id}}', ${more})`);
    await game('private', `null, true, '{}'`);
    await game('repetition', `'private', false, '{}'`);
    await game('open', `null, false, '{${ana.id}}'`);
  });

  test('an invoice of somebody else', async () => {
    const filter = '{ id: { eq: "bens" }, invoices: { some: {} } }';
    expect([await count('registrations', filter), await count('registrations', filter, { user: ben.user })]).toEqual([0, 1]);
  });

  test('its items, which say by the invoice whose they are', async () => {
    const filter = `{ id: { eq: "${ben.id}" }, invoices: { some: { items: { some: {} } } } }`;
    expect([await count('users', filter), await count('users', filter, { user: ben.user })]).toEqual([0, 1]);
  });

  test('and not that there is none either: nobody learns of what they do not see', async () => {
    expect(await count('registrations', '{ id: { eq: "bens" }, invoices: { none: {} } }')).toBe(1);
  });

  test('a game by invitation', async () => {
    const filter = '{ parent: { title: { eq: "private" } } }';
    expect([await count('games', filter), await count('games', filter, { user: ben.user })]).toEqual([0, 1]);
  });

  test('who plays in a game that does not show it', async () => {
    const plays = `{ id: { eq: "open" }, players: { some: { firstName: { eq: "Ben" } } } }`;
    const back = `{ id: { eq: "${ben.id}" }, games: { some: { id: { eq: "open" } } } }`;
    expect([await count('games', plays), await count('users', back)]).toEqual([0, 0]);
    expect([await count('games', plays, { user: ben.user }), await count('users', back, { user: ben.user })]).toEqual([1, 1]);
  });

  test('who is invited to it, but for the caller', async () => {
    const invited = (id: string) => `{ id: { eq: "open" }, invitedPlayers: { some: { id: { eq: "${id}" } } } }`;
    const back = `{ id: { eq: "${ana.id}" }, gameInvitations: { some: {} } }`;
    expect([await count('games', invited(ana.id)), await count('users', back)]).toEqual([1, 1]);
    const carl = { user: (await app.person()).user };
    expect([await count('games', invited(ana.id), carl), await count('users', back, carl)]).toEqual([0, 0]);
  });

  test('what is private of a record', async () => {
    expect(await count('teams', '{ playerOne: { email: { eq: "x" } } }')).toEqual([
      'BAD_INPUT: filter.playerOne.email: expected a field of UserFilter',
    ]);
  });
});
