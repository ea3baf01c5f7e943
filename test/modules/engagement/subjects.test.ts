import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import type { Person, Tokens } from '../../support/servers/app.js';
import { type MediaApp, pending, startMediaApp } from '../media/seeds.js';

let app: MediaApp;
let fan: Person;
beforeAll(async () => {
  app = await startMediaApp();
  fan = await app.person({ firstName: 'Fay' });
  await app.graphql(
    'mutation { a: upsertTournament(input: { id: "t1", title: "Open" }) { id } b: upsertTournament(input: { id: "t2", title: "Cup" }) { id } upsertClub(input: { id: "c1", title: "Club" }) { id } createLeague(input: { id: "l1", title: "Ladder" }) { id } }',
  );
  await app.sql.rows(
    `insert into game (id, title, owner_id, is_invite_only) values ('g1', 'Doubles', null, false), ('secret', 'Secret', 'somebody', true)`,
  );
});
afterAll(() => app.close());

const asUser = ({ user }: Person) => ({ user });
const addFavorite = (kind: string, subjectId: string, tokens: Tokens) =>
  app.graphql(
    'mutation ($kind: FavoriteKind!, $subjectId: ID!) { addFavorite(kind: $kind, subjectId: $subjectId, acceptsLegacyValues: true) { id } }',
    { kind, subjectId },
    tokens,
  );

describe('the subject of a favorite', () => {
  const fields = `__typename ... on Tournament { title teams { totalCount } } ... on League { title club { title } } ...Others`;
  const query = `{ viewer { favorites(first: 100, orderBy: [{ field: CREATED_AT }]) { nodes { kind subject { ${fields} } } } } }
    fragment Others on FavoriteSubject { ... on Club { title } ... on Game { title isViewerWaiting } }`;

  test('has the fields of its kind, and is null where it is missing or hidden from the user', async () => {
    const favorites = [
      ['TOURNAMENT', 't1'],
      ['LEAGUE', 'l1'],
      ['CLUB', 'c1'],
      ['GAME', 'g1'],
      ['GAME', 'secret'],
      ['TOURNAMENT', 'gone'],
      ['COURT', 'court'],
    ] as const;
    for (const [kind, id] of favorites) await addFavorite(kind, id, asUser(fan));
    const run = async () => (await app.graphql(query, {}, asUser(fan))).viewer.favorites.nodes;
    const nodes = [
      { kind: 'TOURNAMENT', subject: { __typename: 'Tournament', title: 'Open', teams: { totalCount: 0 } } },
      { kind: 'LEAGUE', subject: { __typename: 'League', title: 'Ladder', club: null } },
      { kind: 'CLUB', subject: { __typename: 'Club', title: 'Club' } },
      { kind: 'GAME', subject: { __typename: 'Game', title: 'Doubles', isViewerWaiting: false } },
      { kind: 'GAME', subject: null },
      { kind: 'TOURNAMENT', subject: null },
      { kind: 'COURT', subject: null },
    ];
    // The service compiles a document on its second run, so the results of three runs must agree.
    expect({ first: await run(), second: await run(), third: await run() }).toEqual({
      first: nodes,
      second: nodes,
      third: nodes,
    });
  });

  test('is loaded with one statement per kind, for any number of favorites', async () => {
    const selection = '... on Tournament { title } ... on Club { title } ... on League { title } ... on Game { title }';
    const statementCount = () =>
      statementsOf(app, () =>
        app.graphql(`{ viewer { favorites(first: 100) { nodes { subject { ${selection} } } } } }`, {}, asUser(fan)),
      );
    const before = await statementCount();
    for (let id = 0; id < 5; id++) await addFavorite('TOURNAMENT', id % 2 ? 't2' : `none-${id}`, asUser(fan));
    expect({ before, afterFiveMore: await statementCount() }).toEqual({ before: 6, afterFiveMore: 6 });
  });

  test('has the same errors with the same locations in every run of a document', async () => {
    const query = `{ viewer { favorites(filter: { kind: { in: [TOURNAMENT, CLUB] } }) { nodes { subject {
      ... on Club { them: leagues(first: 101) { totalCount } } ... on Tournament { them: teams(offset: -1) { nodes { id } } } } } } } }`;
    const run = async () => (await app.rest('POST', '/graphql', asUser(fan), { query })).body;
    const [first, second, third] = [await run(), await run(), await run()];
    expect({ second, third }).toEqual({ second: first, third: first });
    const distinctErrors = new Set(
      first.errors.map(({ message, locations }: { message: string; locations: object[] }) => [message, locations].join()),
    );
    expect(distinctErrors.size).toBe(2);
    expect(first.errors.map(({ locations }: { locations: object[] }) => locations.length)).toEqual(first.errors.map(() => 1));
  });
});

test('the subject of a notification has the fields of its kind, and is null where its reader cannot see it', async () => {
  const image = await app.image(pending(), fan.id);
  const notifications = [
    ['n1', 'TOURNAMENT', 't1'],
    ['n2', 'USER_IMAGE', image],
    ['n3', 'GAME', 'secret'],
    ['n4', null, null],
  ];
  for (const [id, kind, subject] of notifications)
    await app.sql.rows(
      `insert into notification (id, user_id, event, content, subject_kind, subject_id) values ($1, $2, 'GAME_CHANGED', 'text', $3, $4)`,
      [id, fan.id, kind, subject],
    );
  const answer = await app.graphql(
    '{ viewer { notifications(orderBy: [{ field: ID }]) { nodes { subjectKind subject { ... on Tournament { title } ... on UserImage { type approval { state } } ... on Game { title } } } } } }',
    {},
    asUser(fan),
  );
  expect(answer.viewer.notifications.nodes).toEqual([
    { subjectKind: 'TOURNAMENT', subject: { title: 'Open' } },
    { subjectKind: 'USER_IMAGE', subject: { type: 'PROFILE', approval: { state: 'PENDING' } } },
    { subjectKind: 'GAME', subject: null },
    { subjectKind: null, subject: null },
  ]);
});

test('favorites are filtered by their subjects, as far as the reader sees them', async () => {
  const subjectsOf = async (filter: string, tokens: Tokens) => {
    const { favorites } = await app.graphql(`{ favorites(filter: { subject: ${filter} }) { nodes { subjectId } } }`, {}, tokens);
    return favorites.nodes.map(({ subjectId }: { subjectId: string }) => subjectId);
  };
  expect({
    clubByTitle: await subjectsOf('{ club: { title: { eq: "Club" } } }', asUser(fan)),
    anyGame: await subjectsOf('{ game: {} }', asUser(fan)),
    tournamentByPrefix: await subjectsOf('{ tournament: { title: { startsWith: "Op" } } }', asUser(fan)),
  }).toEqual({ clubByTitle: ['c1'], anyGame: ['g1'], tournamentByPrefix: ['t1'] });
});

test('a comment has a relation to its item of any type', async () => {
  const [image, { id }] = [await app.image(pending(), fan.id), await app.sponsor(fan.id)];
  const comment = (itemId: string) =>
    `createApprovalComment(itemId: "${itemId}", content: "Blurred.") { item { __typename id } }`;
  const mutation = `mutation { onImage: ${comment(image)} onSponsor: ${comment(id)} onMissing: ${comment('gone')} }`;
  expect(await app.graphql(mutation)).toEqual({
    onImage: { item: { __typename: 'UserImage', id: image } },
    onSponsor: { item: { __typename: 'Sponsor', id } },
    onMissing: { item: null },
  });
});

test('a notification setting is related to its user', async () => {
  const { notificationSettings } = await app.graphql('{ notificationSettings { user { firstName } } }', {}, asUser(fan));
  expect(notificationSettings[0]).toEqual({ user: { firstName: 'Fay' } });
});

test('the users of a platform are visible to that platform only', async () => {
  await app.sql.rows(`update app_user set platform_id = $2 where id = $1`, [
    fan.id,
    (await app.graphql('{ platforms(filter: { title: { eq: "Test Platform" } }) { nodes { id } } }')).platforms.nodes[0].id,
  ]);
  const all = '{ platforms(filter: { title: { eq: "Test Platform" } }) { nodes { users { totalCount nodes { firstName } } } } }';
  expect({
    listedByPlatform: (await app.graphql(all)).platforms.nodes[0],
    listedByUser: (await app.graphql(all, {}, asUser(fan))).platforms.nodes[0],
  }).toEqual({
    listedByPlatform: { users: { totalCount: 1, nodes: [{ firstName: 'Fay' }] } },
    listedByUser: { users: { totalCount: 0, nodes: [] } },
  });
});

test('approvals and the approval status of an item are related to the item; the status has its own id', async () => {
  const { id, image } = await app.sponsor(fan.id);
  const query = `{ approvals(filter: { itemId: { in: ["${id}", "${image}"] } }, orderBy: [{ field: ID }]) { nodes { item { __typename id approval { id state } ... on Sponsor { title } ... on SponsorImage { size sponsor { title } } } } } }`;
  const { approvals } = await app.graphql(query, {}, asUser(fan));
  const { sponsor } = await app.graphql(`{ sponsor(id: "${id}") { nodeId approval { id item { ... on Sponsor { title } } } } }`);
  const isOfSponsor = (node: { item: { __typename: string } }) => node.item.__typename === 'Sponsor';
  const item = approvals.nodes.find(isOfSponsor).item;
  expect({
    ofSponsor: approvals.nodes.filter(isOfSponsor).length,
    total: approvals.nodes.length,
    item,
    status: sponsor.approval,
  }).toEqual({
    ofSponsor: 2,
    total: 4,
    item: { __typename: 'Sponsor', id, title: 'Title', approval: { id: sponsor.nodeId, state: 'APPROVED' } },
    status: { id: sponsor.nodeId, item: { title: 'Title' } },
  });
});

test('the status that `approveItem` returns is the status of the item', async () => {
  const id = await app.image(pending(), fan.id);
  const status = 'id state item { id approval { id state } ... on UserImage { user { firstName } } }';
  const answer = await app.graphql(`mutation { approveItem(type: USER_IMAGE, id: "${id}") { ${status} } }`);
  const { id: statusId } = answer.approveItem;
  expect(answer.approveItem).toEqual({
    id: statusId,
    state: 'APPROVED',
    item: { id, approval: { id: statusId, state: 'APPROVED' }, user: { firstName: 'Fay' } },
  });
});
