import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person, Tokens } from '../support/app.js';
import { statementsOf } from '../support/statements.js';
import { type MediaApp, newId, pending, startMediaApp } from './media-seeds.js';

let app: MediaApp;
let own: Person;
let boss: Person;
beforeAll(async () => {
  app = await startMediaApp();
  own = await app.person({ roles: ['CONTENT_CREATOR', 'CONTENT_CONFIRMER'], firstName: 'Olga' });
  boss = await app.person({ roles: ['ADMIN'] });
  const waiting = `approval_state = 'PENDING', approval_given = 0`;
  const made = async (table: string, id: string, day: number, column = 'reported_created_at') => {
    await app.sql.rows(`update ${table} set ${waiting}, ${column} = $2 where id = $1`, [id, `2026-01-0${day}T00:00:00.123456Z`]);
    await app.sql.rows('delete from approval where item_id = $1', [id]);
  };
  const sponsor = await app.sponsor(own.id);
  await made('sponsor', sponsor.id, 3);
  await made('sponsor_image', sponsor.image, 1, 'created_at');
  const approved = await app.sponsor('', own.id);
  await made('sponsor', approved.id, 5);
  const [image, later] = [await app.image(pending(), app.idOf('player')), await app.image(pending(), own.id)];
  await made('user_image', image, 4);
  await made('user_image', later, 4);
  const biography = newId('biography');
  await app.sql.rows('insert into biography (id, user_id) values ($1, $2)', [biography, app.idOf('player')]);
  await made('biography', biography, 2);
  await app.image({ state: 'DECLINED', required: 1, by: [] });
  all = [sponsor.image, biography, sponsor.id, ...[image, later].sort(), approved.id];
  foreign = [biography, image];
});
afterAll(() => app.close());

/** What waits, what has waited longest first; and what of it is not Olga's. */
let all: string[];
let foreign: string[];

const ids = (connection: { nodes: { id: string }[] }) => connection.nodes.map(({ id }) => id);
const queue = (args = '', tokens: Tokens = app.platform, fields = 'nodes { id }') =>
  app.graphql(`{ pendingApprovals${args} { ${fields} } }`, {}, tokens);

describe('the queue of what waits for approvals', () => {
  test('has all kinds, what has waited longest first, with the fields of each', async () => {
    const fields = `totalCount nodes { __typename id approval { state given } ... on Sponsor { title } ... on SponsorImage { sponsor { title } } ... on UserImage { user { firstName } } ... on Biography { user { firstName } } }`;
    const { pendingApprovals } = await queue('', app.tokensOf('confirmer'), fields);
    const approval = { state: 'PENDING', given: 0 };
    expect([pendingApprovals.totalCount, ids(pendingApprovals), pendingApprovals.nodes.slice(0, 4)]).toEqual([
      all.length,
      all,
      [
        { __typename: 'SponsorImage', id: all[0], approval, sponsor: { title: 'Title' } },
        { __typename: 'Biography', id: all[1], approval, user: { firstName: 'Pia' } },
        { __typename: 'Sponsor', id: all[2], approval, title: 'Title' },
        { __typename: 'UserImage', id: all[3], approval, user: { firstName: expect.any(String) } },
      ],
    ]);
  });

  test('is of the kinds asked for', async () => {
    const { pendingApprovals } = await queue('(kinds: [BIOGRAPHY, SPONSOR_IMAGE])');
    expect(ids(pendingApprovals)).toEqual(all.slice(0, 2));
  });

  test('goes on behind a cursor, without a gap, also among items of one moment', async () => {
    const page = 'nodes { id } edges { node { id } cursor } pageInfo { hasNextPage hasPreviousPage endCursor }';
    const seen = [];
    for (let after = ''; ; ) {
      const { pendingApprovals } = await queue(`(first: 2${after && `, after: "${after}"`})`, app.platform, page);
      const { pageInfo, edges } = pendingApprovals;
      expect([pageInfo.hasPreviousPage, edges.at(-1).cursor]).toEqual([after !== '', pageInfo.endCursor]);
      seen.push(...ids(pendingApprovals));
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage) break;
    }
    expect([seen, ids((await queue('(offset: 4)')).pendingApprovals)]).toEqual([all, all.slice(4)]);
  });

  test('goes back in front of a cursor, without a gap', async () => {
    const page = 'nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor }';
    const seen = [];
    for (let before = ''; ; ) {
      const { pendingApprovals } = await queue(`(last: 2${before && `, before: "${before}"`})`, app.platform, page);
      const { pageInfo } = pendingApprovals;
      expect(pageInfo.hasNextPage).toBe(before !== '');
      seen.unshift(...ids(pendingApprovals));
      before = pageInfo.startCursor;
      if (!pageInfo.hasPreviousPage) break;
    }
    const { viewer } = await app.graphql('{ viewer { pendingApprovals(last: 1) { nodes { id } } } }', {}, app.tokensOf('admin'));
    expect([seen, ids(viewer.pendingApprovals)]).toEqual([all, all.slice(-1)]);
  });

  test.each([
    ['(last: 1, before: "x")', 'BAD_INPUT: before: expected a cursor of this list'],
    ['(after: "x")', 'BAD_INPUT: after: expected a cursor of this list'],
    [`(after: "${Buffer.from('["x",null,0,"a"]').toString('base64url')}")`, 'BAD_INPUT: after: expected a cursor of this list'],
    ['(first: 101, kinds: [])', 'BAD_INPUT: first: expected an integer from 0 to 100; kinds: expected at least one kind'],
  ])('refuses %s', async (args, message) => {
    expect(await queue(args)).toEqual({ errors: [message] });
  });

  test('is for who may approve', async () => {
    const answers = [];
    for (const name of ['player', 'creator', 'platform for the player'])
      answers.push((await queue('', app.tokensOf(name))).errors[0]);
    expect(answers.map((error) => error.split(':')[0])).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  });

  test('takes one statement, and one for each kind', async () => {
    const fields = 'nodes { id approval { state } viewerCan { approve } }';
    const taken = (args: string) => statementsOf(app, () => queue(args, app.tokensOf('confirmer'), fields));
    // Two for a kind: its items, and which of them wait for the caller.
    expect([await taken('(first: 1)'), await taken('(first: 100)')]).toEqual([3, 9]);
  });
});

describe('a viewer', () => {
  const viewer = async (tokens: Tokens) =>
    (await app.graphql('{ viewer { pendingApprovals { totalCount nodes { id viewerCan { approve } } } } }', {}, tokens)).viewer
      .pendingApprovals;

  test('is told what waits for their approval: nothing of their own, admins excepted', async () => {
    const [olgas, admins] = [await viewer(own), await viewer(boss)];
    expect([ids(olgas).sort(), olgas.totalCount, ids(admins)]).toEqual([[...foreign].sort(), 2, all]);
    for (const { viewerCan } of [...olgas.nodes, ...admins.nodes]) expect(viewerCan).toEqual({ approve: true });
  });

  test('finds nothing where they confirm nothing, nor with others', async () => {
    const others = await app.graphql(`{ user(id: "${own.id}") { pendingApprovals { totalCount } } }`, {}, boss);
    expect([await viewer(app.tokensOf('player')), others]).toEqual([null, { user: { pendingApprovals: null } }]);
  });

  test('can approve what the approval counts for, and nothing else', async () => {
    const callers = {
      own,
      boss,
      confirmer: app.tokensOf('confirmer'),
      platform: app.platform,
      'platform for olga': { ...app.platform, ...own },
    };
    const fields = 'id __typename viewerCan { approve } approval { given required }';
    const types: Record<string, string> = {
      SponsorImage: 'SPONSOR_IMAGE',
      UserImage: 'USER_IMAGE',
      Sponsor: 'SPONSOR',
      Biography: 'BIOGRAPHY',
    };
    for (const [name, tokens] of Object.entries(callers)) {
      const { pendingApprovals } = await queue('', tokens, `nodes { ${fields} }`);
      for (const { id, __typename: type, viewerCan, approval } of pendingApprovals.nodes) {
        const step = `mutation { approveItem(type: ${types[type]}, id: "${id}") { given item { viewerCan { approve } } } }`;
        const { approveItem } = await app.graphql(step, {}, tokens);
        expect([name, id, type, viewerCan.approve]).toEqual([
          name,
          id,
          type,
          (approveItem?.given ?? approval.given) > approval.given,
        ]);
        if (approveItem) expect([name, id, approveItem.item.viewerCan]).toEqual([name, id, { approve: false }]);
      }
    }
  });
});
