import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/app.js';
import { statementsOf } from '../support/statements.js';
import { type MediaApp, newId, startMediaApp } from './media-seeds.js';

let app: MediaApp;
let ana: Person;
let ben: Person;
let cleo: Person;
beforeAll(async () => {
  app = await startMediaApp();
  ana = await app.person({ firstName: 'Ana' });
  ben = await app.person({ firstName: 'Ben' });
  cleo = await app.person({ firstName: 'Cleo' });
});
afterAll(() => app.close());

const add = (sponsor: string, user: string, body: object = {}) =>
  app.rest('POST', `/v1/users/${user}/add_sponsor/${sponsor}`, app.platform, body);

/** A sponsor as the graph and as /v1 show it. */
async function seen(id: string) {
  const { sponsor } = await app.graphql(`{ sponsor(id: "${id}") { userId startedAt isPrimary
    users(orderBy: [{ field: FIRST_NAME }]) { totalCount nodes { firstName } } sponsorships(orderBy: [{ field: STARTED_AT }]) { nodes { user { firstName } startedAt isPrimary } } } }`);
  const { body } = await app.rest('GET', `/v1/data/sponsors/${id}`, app.platform);
  const { userUuid, dateStartedSponsorship, isPrimary } = body;
  return { sponsor, legacy: [userUuid, dateStartedSponsorship, isPrimary] };
}
const names = (...users: string[]) => ({ totalCount: users.length, nodes: users.map((firstName) => ({ firstName })) });

describe('add_sponsor', () => {
  const [first, second, third] = ['2026-01-01T00:00:00Z', '2026-02-02T00:00:00Z', '2026-03-03T00:00:00Z'];

  test('adds users beside those there are, each with terms of their own; the owner stays', async () => {
    const { id } = await app.sponsor(ana.id);
    await add(id, ana.id, { dateStartedSponsorship: first, isPrimary: true });
    await add(id, ben.id, { dateStartedSponsorship: second });
    await add(id, cleo.id, { dateStartedSponsorship: third, isPrimary: true });
    expect(await seen(id)).toEqual({
      sponsor: {
        userId: ana.id,
        startedAt: first,
        isPrimary: true,
        users: names('Ana', 'Ben', 'Cleo'),
        sponsorships: {
          nodes: [
            { user: { firstName: 'Ben' }, startedAt: second, isPrimary: false },
            { user: { firstName: 'Cleo' }, startedAt: third, isPrimary: true },
          ],
        },
      },
      legacy: [ana.id, first, true],
    });
  });

  test('once more changes the terms that it names', async () => {
    const { id } = await app.sponsor(ana.id);
    await add(id, ben.id, { dateStartedSponsorship: first, isPrimary: true });
    await add(id, ben.id, { dateStartedSponsorship: second });
    expect((await seen(id)).sponsor.sponsorships.nodes).toEqual([
      { user: { firstName: 'Ben' }, startedAt: second, isPrimary: true },
    ]);
  });

  test('makes a sponsor that is nobody’s that of the user', async () => {
    const { id } = await app.sponsor('');
    await add(id, ben.id, { dateStartedSponsorship: first, isPrimary: true });
    await add(id, ana.id);
    expect(await seen(id)).toMatchObject({
      sponsor: { userId: ben.id, users: names('Ana', 'Ben'), sponsorships: { nodes: [{ user: { firstName: 'Ana' } }] } },
      legacy: [ben.id, first, true],
    });
  });

  test('at the same moment keeps everybody', async () => {
    const { id } = await app.sponsor('');
    const people = [ana.id, ben.id, cleo.id, ana.id, ben.id, cleo.id];
    const answers = await Promise.all(people.map((user) => add(id, user)));
    const { sponsor } = await seen(id);
    expect([answers.map(({ status }) => status), sponsor.users]).toEqual([Array(6).fill(200), names('Ana', 'Ben', 'Cleo')]);
  });

  test('changes no approval, and refuses what it cannot do', async () => {
    const { id } = await app.sponsor(ana.id);
    await add(id, ben.id);
    const { sponsor } = await app.graphql(`{ sponsor(id: "${id}") { approval { state given } } }`);
    expect([
      sponsor.approval,
      (await add('none', ana.id)).body.Message,
      (await add(id, 'u'.repeat(256))).body.Message,
      (await add(id, ben.id, { isPrimary: 'yes' })).body.Message,
    ]).toEqual([
      { state: 'APPROVED', given: 2 },
      'no sponsor with the id none',
      'uuid: expected at most 255 characters',
      'isPrimary: expected true or false',
    ]);
  });
});

test('users see all their sponsors, in the order of their places', async () => {
  const user = await app.person();
  const own = await app.sponsor(user.id);
  const shared = await app.sponsor(ana.id);
  const both = await app.sponsor('');
  await app.sponsor(ben.id);
  for (const [place, { id }] of [shared, own, both].entries()) {
    await add(id, user.id);
    await app.graphql(`mutation { updateSponsor(id: "${id}", input: { displayOrder: ${place} }) { id } }`);
  }
  const { user: found } = await app.graphql(
    `{ user(id: "${user.id}") { sponsors { totalCount nodes { id } } sponsorships { nodes { sponsorId } } } }`,
  );
  expect(found).toEqual({
    sponsors: { totalCount: 3, nodes: [{ id: shared.id }, { id: own.id }, { id: both.id }] },
    sponsorships: { nodes: [{ sponsorId: shared.id }] },
  });
});

test('a user sees a sponsor that awaits approval when it is shared with them, and who shares it', async () => {
  const { id, image } = await app.sponsor(ana.id);
  await add(id, ben.id);
  for (const table of ['sponsor', 'sponsor_image'])
    await app.sql.rows(`update ${table} set approval_state = 'PENDING' where id = any($1)`, [[id, image]]);
  const seenBy = async (person: Person) => {
    const answer = await app.graphql(
      `{ sponsor(id: "${id}") { images { totalCount } } sponsorships(filter: { sponsorId: { eq: "${id}" } }) { totalCount } }`,
      {},
      { user: person.user },
    );
    return [answer.sponsor?.images.totalCount ?? null, answer.sponsorships.totalCount];
  };
  expect([await seenBy(ana), await seenBy(ben), await seenBy(cleo)]).toEqual([
    [1, 1],
    [1, 1],
    [null, 0],
  ]);
});

test('a sponsorship ends by itself, or with its sponsor', async () => {
  const { id } = await app.sponsor(ana.id);
  await add(id, ben.id);
  await add(id, cleo.id);
  const list = async () =>
    (
      await app.graphql(
        `{ sponsorships(filter: { sponsorId: { eq: "${id}" } }, orderBy: [{ field: USER_ID }]) { nodes { id userId } } }`,
      )
    ).sponsorships.nodes;
  const [one] = await list();
  await app.graphql(`mutation { deleteSponsorship(id: "${one.id}") { id } }`);
  const rest = (await list()).map(({ userId }: { userId: string }) => userId);
  await app.graphql(`mutation { deleteSponsor(id: "${id}") { id } }`);
  expect([rest, await list()]).toEqual([[[ben.id, cleo.id].toSorted()[1]], []]);
});

test('users of many sponsors take a constant number of statements', async () => {
  const owner = newId('owner');
  const query = `{ sponsors(filter: { userId: { eq: "${owner}" } }) { nodes { users { totalCount nodes { firstName sponsors { totalCount } } } sponsorships { nodes { user { id } } } } } }`;
  const made = async (count: number) => {
    for (let index = 0; index < count; index++) await add((await app.sponsor(owner)).id, ben.id);
    return statementsOf(app, () => app.graphql(query));
  };
  const few = await made(1);
  expect(await made(5)).toBe(few);
});
