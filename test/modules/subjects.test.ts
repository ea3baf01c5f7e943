import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person, Tokens } from '../support/app.js';
import { statementsOf } from '../support/statements.js';
import { type MediaApp, pending, startMediaApp } from './media-seeds.js';

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

const as = ({ user }: Person) => ({ user });
const mark = (kind: string, subjectId: string, tokens: Tokens) =>
  app.graphql(
    'mutation ($kind: FavoriteKind!, $subjectId: ID!) { addFavorite(kind: $kind, subjectId: $subjectId, asSent: true) { id } }',
    { kind, subjectId },
    tokens,
  );

describe('a favorite leads to what it is', () => {
  const fields = `__typename ... on Tournament { title teams { totalCount } } ... on League { title club { title } } ...Others`;
  const query = `{ viewer { favorites(first: 100, orderBy: [{ field: CREATED_AT }]) { nodes { kind subject { ${fields} } } } } }
    fragment Others on FavoriteSubject { ... on Club { title } ... on Game { title isViewerWaiting } }`;

  test('with the fields of its kind, and to nothing where there is none, or none that is seen', async () => {
    const kinds = [
      ['TOURNAMENT', 't1'],
      ['LEAGUE', 'l1'],
      ['CLUB', 'c1'],
      ['GAME', 'g1'],
      ['GAME', 'secret'],
      ['TOURNAMENT', 'gone'],
      ['COURT', 'court'],
    ] as const;
    for (const [kind, id] of kinds) await mark(kind, id, as(fan));
    const runs = [];
    // The second run of a document is compiled.
    for (let run = 0; run < 3; run++) runs.push((await app.graphql(query, {}, as(fan))).viewer.favorites.nodes);
    const nodes = [
      { kind: 'TOURNAMENT', subject: { __typename: 'Tournament', title: 'Open', teams: { totalCount: 0 } } },
      { kind: 'LEAGUE', subject: { __typename: 'League', title: 'Ladder', club: null } },
      { kind: 'CLUB', subject: { __typename: 'Club', title: 'Club' } },
      { kind: 'GAME', subject: { __typename: 'Game', title: 'Doubles', isViewerWaiting: false } },
      { kind: 'GAME', subject: null },
      { kind: 'TOURNAMENT', subject: null },
      { kind: 'COURT', subject: null },
    ];
    expect(runs).toEqual([nodes, nodes, nodes]);
  });

  test('in one statement a kind, however many there are', async () => {
    const bare = `{ viewer { favorites(first: 100) { nodes { subject { ... on Tournament { title } ... on Club { title } ... on League { title } ... on Game { title } } } } } }`;
    const few = await statementsOf(app, () => app.graphql(bare, {}, as(fan)));
    for (let id = 0; id < 5; id++) await mark('TOURNAMENT', id % 2 ? 't2' : `none-${id}`, as(fan));
    expect([few, await statementsOf(app, () => app.graphql(bare, {}, as(fan)))]).toEqual([6, 6]);
  });

  test('what fails below it is told in the same words and places by every run', async () => {
    const broken = `{ viewer { favorites(filter: { kind: { in: [TOURNAMENT, CLUB] } }) { nodes { subject {
      ... on Club { them: leagues(first: 101) { totalCount } } ... on Tournament { them: teams(offset: -1) { nodes { id } } } } } } } }`;
    const runs = [];
    for (let run = 0; run < 3; run++) runs.push((await app.rest('POST', '/graphql', as(fan), { query: broken })).body);
    const [first, ...others] = runs;
    const lines = new Set(
      first.errors.map(({ message, locations }: { message: string; locations: object[] }) => [message, locations].join()),
    );
    expect([others, lines.size]).toEqual([[first, first], 2]);
    expect(first.errors.map(({ locations }: { locations: object[] }) => locations.length)).toEqual(first.errors.map(() => 1));
  });
});

test('a notification leads to what it is about, for its reader', async () => {
  const image = await app.image(pending(), fan.id);
  const told = [
    ['n1', 'TOURNAMENT', 't1'],
    ['n2', 'USER_IMAGE', image],
    ['n3', 'GAME', 'secret'],
    ['n4', null, null],
  ];
  for (const [id, kind, subject] of told)
    await app.sql.rows(
      `insert into notification (id, user_id, event, subject_kind, subject_id) values ($1, $2, 'GAME_CHANGED', $3, $4)`,
      [id, fan.id, kind, subject],
    );
  const answer = await app.graphql(
    '{ viewer { notifications(orderBy: [{ field: ID }]) { nodes { subjectKind subject { ... on Tournament { title } ... on UserImage { type approval { state } } ... on Game { title } } } } } }',
    {},
    as(fan),
  );
  expect(answer.viewer.notifications.nodes).toEqual([
    { subjectKind: 'TOURNAMENT', subject: { title: 'Open' } },
    { subjectKind: 'USER_IMAGE', subject: { type: 'PROFILE', approval: { state: 'PENDING' } } },
    { subjectKind: 'GAME', subject: null },
    { subjectKind: null, subject: null },
  ]);
});

test('favorites and notifications are found by what they lead to, as far as the reader sees it', async () => {
  const found = async (filter: string, tokens: Tokens) => {
    const answer = await app.graphql(`{ found: favorites(filter: { subject: ${filter} }) { nodes { subjectId } } }`, {}, tokens);
    return answer.found.nodes.map(({ subjectId }: { subjectId: string }) => subjectId);
  };
  expect([
    await found('{ club: { title: { eq: "Club" } } }', as(fan)),
    await found('{ game: {} }', as(fan)),
    await found('{ tournament: { title: { startsWith: "Op" } } }', as(fan)),
  ]).toEqual([['c1'], ['g1'], ['t1']]);
});

test('a comment leads to the item that it is on, whatever its kind', async () => {
  const [image, { id }] = [await app.image(pending(), fan.id), await app.sponsor(fan.id)];
  const comment = (itemId: string) =>
    `createApprovalComment(itemId: "${itemId}", content: "Blurred.") { item { __typename id } }`;
  const made = await app.graphql(`mutation { a: ${comment(image)} b: ${comment(id)} c: ${comment('gone')} }`);
  const found = await app.graphql(
    `{ approvalComments(filter: { item: { sponsor: { id: { eq: "${id}" } } } }) { nodes { itemId } } }`,
  );
  expect([made, found.approvalComments.nodes]).toEqual([
    { a: { item: { __typename: 'UserImage', id: image } }, b: { item: { __typename: 'Sponsor', id } }, c: { item: null } },
    [{ itemId: id }],
  ]);
});

test('a setting leads to the user whose it is', async () => {
  const { notificationSettings } = await app.graphql('{ notificationSettings { user { firstName } } }', {}, as(fan));
  expect(notificationSettings[0]).toEqual({ user: { firstName: 'Fay' } });
});

test('a platform leads to its own users, and tells nobody else of them', async () => {
  await app.sql.rows(`update app_user set platform_id = $2 where id = $1`, [
    fan.id,
    (await app.graphql('{ platforms(filter: { title: { eq: "Test Platform" } }) { nodes { id } } }')).platforms.nodes[0].id,
  ]);
  const query =
    '{ platforms(filter: { users: { some: { firstName: { eq: "Fay" } } } }) { nodes { users { nodes { firstName } } } } }';
  const all = '{ platforms { nodes { users { totalCount nodes { firstName } } } } }';
  const [own, foreign, hidden] = [
    await app.graphql(query),
    await app.graphql(query, {}, as(fan)),
    await app.graphql(all, {}, as(fan)),
  ];
  expect([own.platforms.nodes, foreign.platforms.nodes, hidden.platforms.nodes[0]]).toEqual([
    [{ users: { nodes: [{ firstName: 'Fay' }] } }],
    [],
    { users: { totalCount: 0, nodes: [] } },
  ]);
});

test('an approval and the status of an item lead to the item; the status has an id of its own', async () => {
  const { id, image } = await app.sponsor(fan.id);
  const query = `{ approvals(filter: { itemId: { in: ["${id}", "${image}"] } }, orderBy: [{ field: ID }]) { nodes { item { __typename id approval { id state } ... on Sponsor { title } ... on SponsorImage { size sponsor { title } } } } } }`;
  const { approvals } = await app.graphql(query, {}, as(fan));
  const { sponsor } = await app.graphql(`{ sponsor(id: "${id}") { nodeId approval { id item { ... on Sponsor { title } } } } }`);
  const own = (node: { item: { __typename: string } }) => node.item.__typename === 'Sponsor';
  const item = approvals.nodes.find(own).item;
  expect([approvals.nodes.map(own).sort(), item, sponsor.approval]).toEqual([
    [false, false, true, true],
    { __typename: 'Sponsor', id, title: 'Title', approval: { id: sponsor.nodeId, state: 'APPROVED' } },
    { id: sponsor.nodeId, item: { title: 'Title' } },
  ]);
});

test('the status that a step gives is the one that the item has', async () => {
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
