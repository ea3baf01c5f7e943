import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Session } from '../../../src/kernel/session.js';
import { statementsOf } from '../../support/checks/statement-counter.js';
import type { Person, Tokens } from '../../support/servers/app.js';
import { type MediaApp, newId, pending, startMediaApp } from './seeds.js';

let app: MediaApp;
let olga: Person;
let admin: Person;
beforeAll(async () => {
  app = await startMediaApp();
  olga = await app.person({ roles: ['CONTENT_CREATOR', 'CONTENT_CONFIRMER'], firstName: 'Ólga' });
  admin = await app.person({ roles: ['ADMIN'] });
  const setPending = async (table: string, id: string, day: number, createdAt = 'reported_created_at') => {
    await app.sql.rows(`update ${table} set approval_state = 'PENDING', approval_given = 0, ${createdAt} = $2 where id = $1`, [
      id,
      `2026-01-0${day}T00:00:00.123456Z`,
    ]);
    await app.sql.rows('delete from approval where item_id = $1', [id]);
  };
  const sponsor = await app.sponsor(olga.id);
  await setPending('sponsor', sponsor.id, 3);
  await setPending('sponsor_image', sponsor.image, 1, 'created_at');
  const ownerlessSponsor = await app.sponsor('', olga.id);
  await setPending('sponsor', ownerlessSponsor.id, 5);
  const playerImage = await app.image(pending(), app.idOf('player'));
  const olgaImage = await app.image(pending(), olga.id);
  await setPending('user_image', playerImage, 4);
  await setPending('user_image', olgaImage, 4);
  const biography = newId('biography');
  await app.sql.rows('insert into biography (id, user_id) values ($1, $2)', [biography, app.idOf('player')]);
  await setPending('biography', biography, 2);
  itemsByName = [sponsor.image, sponsor.id, olgaImage, ownerlessSponsor.id, biography, playerImage];
  declinedImage = await app.image({ state: 'DECLINED', required: 1, approvers: [] });
  allIds = [sponsor.image, biography, sponsor.id, ...[playerImage, olgaImage].sort(), ownerlessSponsor.id];
  idsOfOthers = [biography, playerImage];
});
afterAll(() => app.close());

let declinedImage: string;
/** IDs of the pending items, oldest first. */
let allIds: string[];
/** IDs of the pending items, ordered by the names of their owners, Ólga and Pia. Items of the same owner are ordered oldest first. */
let itemsByName: string[];
/** IDs of the pending items that do not belong to Olga. */
let idsOfOthers: string[];

const ids = (connection: { nodes: { id: string }[] }) => connection.nodes.map(({ id }) => id);
const queue = (args = '', tokens: Tokens = app.platform, fields = 'nodes { id }') =>
  app.graphql(`{ pendingApprovals${args} { ${fields} } }`, {}, tokens);

describe('pendingApprovals', () => {
  test('lists items of all types with their fields, oldest first', async () => {
    const fields = `totalCount nodes { __typename id approval { state given } ... on Sponsor { title } ... on SponsorImage { sponsor { title } } ... on UserImage { user { firstName } } ... on Biography { user { firstName } } }`;
    const { pendingApprovals } = await queue('', app.tokensOf('confirmer'), fields);
    const approval = { state: 'PENDING', given: 0 };
    expect({
      totalCount: pendingApprovals.totalCount,
      ids: ids(pendingApprovals),
      firstFour: pendingApprovals.nodes.slice(0, 4),
    }).toEqual({
      totalCount: allIds.length,
      ids: allIds,
      firstFour: [
        { __typename: 'SponsorImage', id: allIds[0], approval, sponsor: { title: 'Title' } },
        { __typename: 'Biography', id: allIds[1], approval, user: { firstName: 'Pia' } },
        { __typename: 'Sponsor', id: allIds[2], approval, title: 'Title' },
        { __typename: 'UserImage', id: allIds[3], approval, user: { firstName: expect.any(String) } },
      ],
    });
  });

  test('filters by type, owner and time', async () => {
    const idsOf = async (filter: string) => {
      const answer = await queue(`(filter: ${filter})`, app.platform, 'totalCount nodes { id }');
      return answer.errors ?? { ids: ids(answer.pendingApprovals), totalCount: answer.pendingApprovals.totalCount };
    };
    expect({
      type: await idsOf('{ type: { in: [BIOGRAPHY, SPONSOR_IMAGE] } }'),
      owner: await idsOf(`{ ownerId: { ne: "${olga.id}" } }`),
      ownersSponsors: await idsOf(`{ ownerId: { eq: "${olga.id}" }, type: { eq: SPONSOR } }`),
      ownerName: await idsOf('{ ownerName: "olga" }'),
      longName: await idsOf(`{ ownerName: "${'o'.repeat(201)}" }`),
      time: await idsOf('{ createdAt: { gte: "2026-01-03T00:00:00Z", lt: "2026-01-04T00:00:00Z" } }'),
      unstorable: await idsOf('{ ownerId: { eq: "\\u0000" } }'),
    }).toEqual({
      type: { ids: allIds.slice(0, 2), totalCount: 2 },
      owner: { ids: idsOfOthers, totalCount: 2 },
      ownersSponsors: { ids: [allIds[2], allIds[5]], totalCount: 2 },
      ownerName: { ids: allIds.filter((id) => !idsOfOthers.includes(id)), totalCount: 4 },
      longName: ['BAD_INPUT: filter.ownerName: expected at most 200 characters'],
      time: { ids: [allIds[2]], totalCount: 1 },
      unstorable: [expect.stringMatching(/^BAD_INPUT: filter.ownerId.eq: expected text without NUL characters/)],
    });
  });

  test.each([
    ['newest first', '[{ field: CREATED_AT, direction: DESC }]', () => [5, 3, 4, 2, 1, 0]],
    ['by type', '[{ field: TYPE }]', () => [2, 5, 0, 3, 4, 1]],
    [
      'by type in descending order, newest first',
      '[{ field: TYPE, direction: DESC }, { field: CREATED_AT, direction: DESC }]',
      () => [1, 3, 4, 0, 5, 2],
    ],
    ['by the name of the owner', '[{ field: OWNER_NAME }]', () => itemsByName.map((id) => allIds.indexOf(id))],
    [
      'by the name of the owner in descending order, newest first',
      '[{ field: OWNER_NAME, direction: DESC }, { field: OWNER_ID }, { field: CREATED_AT, direction: DESC }]',
      () => itemsByName.map((id) => allIds.indexOf(id)).reverse(),
    ],
  ])('is ordered %s, and pages forward and backward in that order', async (_, orderBy, places) => {
    const expected = places().map((place) => allIds[place]);
    const fields = 'nodes { id } pageInfo { startCursor endCursor }';
    const page = async (args: string) => (await queue(`(${args}, orderBy: ${orderBy})`, app.platform, fields)).pendingApprovals;
    const first = await page('first: 4');
    const rest = await page(`first: 4, after: "${first.pageInfo.endCursor}"`);
    const last = await page('last: 2');
    const before = await page(`last: 4, before: "${last.pageInfo.startCursor}"`);
    expect({ forward: [...ids(first), ...ids(rest)], backward: [...ids(before), ...ids(last)] }).toEqual({
      forward: expected,
      backward: expected,
    });
  });

  test('rejects a cursor of another order', async () => {
    const { pendingApprovals } = await queue('(first: 1)', app.platform, 'pageInfo { endCursor }');
    const args = `(after: "${pendingApprovals.pageInfo.endCursor}", orderBy: [{ field: TYPE }])`;
    expect((await queue(args)).errors).toEqual(['BAD_INPUT: after: expected a cursor of this list']);
  });

  test('pages forward without a gap, even among items with the same time', async () => {
    const fields = 'nodes { id } edges { node { id } cursor } pageInfo { hasNextPage hasPreviousPage endCursor }';
    const pagedIds = [];
    for (let after = ''; ; ) {
      const { pendingApprovals } = await queue(`(first: 2${after && `, after: "${after}"`})`, app.platform, fields);
      const { pageInfo, edges } = pendingApprovals;
      expect({ hasPreviousPage: pageInfo.hasPreviousPage, lastCursor: edges.at(-1).cursor }).toEqual({
        hasPreviousPage: after !== '',
        lastCursor: pageInfo.endCursor,
      });
      pagedIds.push(...ids(pendingApprovals));
      after = pageInfo.endCursor;
      if (!pageInfo.hasNextPage) break;
    }
    expect(pagedIds).toEqual(allIds);
  });

  test('skips the items before an offset', async () => {
    expect(ids((await queue('(offset: 4)')).pendingApprovals)).toEqual(allIds.slice(4));
  });

  test('pages backward without a gap', async () => {
    const fields = 'nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor }';
    const pagedIds = [];
    for (let before = ''; ; ) {
      const { pendingApprovals } = await queue(`(last: 2${before && `, before: "${before}"`})`, app.platform, fields);
      const { pageInfo } = pendingApprovals;
      expect(pageInfo.hasNextPage).toBe(before !== '');
      pagedIds.unshift(...ids(pendingApprovals));
      before = pageInfo.startCursor;
      if (!pageInfo.hasPreviousPage) break;
    }
    expect(pagedIds).toEqual(allIds);
  });

  test.each([
    ['(last: 1, before: "x")', 'BAD_INPUT: before: expected a cursor of this list'],
    ['(after: "x")', 'BAD_INPUT: after: expected a cursor of this list'],
    [`(after: "${Buffer.from('["x",null,0,"a"]').toString('base64url')}")`, 'BAD_INPUT: after: expected a cursor of this list'],
    ['(first: 101, after: "x")', 'BAD_INPUT: first: expected an integer from 0 to 100; after: expected a cursor of this list'],
  ])('rejects %s', async (args, message) => {
    expect(await queue(args)).toEqual({ errors: [message] });
  });

  test.for(['player', 'creator', 'platform for the player'])('is forbidden to the %s, who cannot approve', async (caller) => {
    const [error] = (await queue('', app.tokensOf(caller))).errors;
    expect(error.split(':')[0]).toBe('FORBIDDEN');
  });

  test('takes one statement, and two more for each kind on the page', async () => {
    const fields = 'nodes { id approval { state } viewerCan { approve } }';
    const statements = (args: string) => statementsOf(app, () => queue(args, app.tokensOf('confirmer'), fields));
    // For each type, one statement loads the items, and another statement determines which items the caller may approve.
    expect({ oneKind: await statements('(first: 1)'), fourKinds: await statements('(first: 100)') }).toEqual({
      oneKind: 3,
      fourKinds: 9,
    });
  });
});

describe('approvalItems', () => {
  const items = async (args: string, tokens: Tokens = app.platform) => {
    const answer = await app.graphql(`{ approvalItems${args} { totalCount nodes { id approval { state } } } }`, {}, tokens);
    return answer.errors ?? { ids: ids(answer.approvalItems), totalCount: answer.approvalItems.totalCount };
  };

  test('lists items in the given states, or in any state', async () => {
    expect({
      pending: await items('(filter: { state: { eq: PENDING } })'),
      declined: await items('(filter: { state: { eq: DECLINED }, type: { eq: USER_IMAGE } })'),
      approved: await items('(filter: { state: { eq: APPROVED } })'),
      newest: await items('(first: 1, orderBy: [{ field: CREATED_AT, direction: DESC }])'),
    }).toEqual({
      pending: { ids: allIds, totalCount: allIds.length },
      declined: { ids: [declinedImage], totalCount: 1 },
      // The image of the sponsor without an owner.
      approved: { ids: [expect.stringMatching(/-image$/)], totalCount: 1 },
      newest: { ids: [expect.any(String)], totalCount: allIds.length + 2 },
    });
  });

  test('reads only the start of the indexes, for any number of items', async () => {
    // All declined items are older than the approved items.
    await app.sql.rows(
      `insert into user_image (id, user_id, type, approval_state, reported_created_at)
       select state || n, $1, 'COVER', state, now() - n * interval '1 minute' - (state = 'DECLINED')::int * interval '1 year'
       from generate_series(1, 5000) n, unnest(array['APPROVED', 'DECLINED']) state`,
      [app.idOf('player')],
    );
    await app.sql.rows('analyze user_image');
    const readRows = async (state: string) => {
      const rows = vi.spyOn(Session.prototype, 'rows');
      await items(
        `(first: 10, offset: 5, orderBy: [{ field: CREATED_AT, direction: DESC }], filter: { state: { eq: ${state} } })`,
      );
      const calls = rows.mock.calls.map(([sql, values]) => ({ text: typeof sql === 'string' ? sql : sql.text, values }));
      rows.mockRestore();
      const { text, values } = calls.find(({ text }) => text.includes('order by')) ?? expect.fail('no page was read');
      const plan = JSON.stringify(await app.sql.rows(`explain (analyze, format json) ${text}`, values));
      const counts = [...plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)": ?([0-9.]+)/g)].map(([, count]) =>
        Number(count),
      );
      return Math.max(...counts);
    };
    const counts = { approved: await readRows('APPROVED'), declined: await readRows('DECLINED') };
    await app.sql.rows(`delete from user_image where type = 'COVER' and user_id = $1`, [app.idOf('player')]);
    expect(Math.max(counts.approved, counts.declined)).toBeLessThan(30);
  });

  test('rejects a cursor of the pending items', async () => {
    const { pendingApprovals } = await queue('(first: 1)', app.platform, 'pageInfo { endCursor }');
    expect(await items(`(after: "${pendingApprovals.pageInfo.endCursor}")`)).toEqual([
      'BAD_INPUT: after: expected a cursor of this list',
    ]);
  });

  test('is forbidden to users who cannot approve', async () => {
    expect(await items('', app.tokensOf('creator'))).toEqual([expect.stringMatching(/^FORBIDDEN/)]);
  });
});

describe('pendingApprovals of a viewer', () => {
  const viewerQueue = async (tokens: Tokens) =>
    (await app.graphql('{ viewer { pendingApprovals { totalCount nodes { id viewerCan { approve } } } } }', {}, tokens)).viewer
      .pendingApprovals;

  test('lists what they may approve: all items of others, and for admins their own too', async () => {
    const ofOlga = await viewerQueue(olga);
    const ofAdmin = await viewerQueue(admin);
    expect({ ofOlga: ids(ofOlga).sort(), totalCountOfOlga: ofOlga.totalCount, ofAdmin: ids(ofAdmin) }).toEqual({
      ofOlga: [...idsOfOthers].sort(),
      totalCountOfOlga: 2,
      ofAdmin: allIds,
    });
    for (const { viewerCan } of [...ofOlga.nodes, ...ofAdmin.nodes]) expect(viewerCan).toEqual({ approve: true });
  });

  test('returns the last page', async () => {
    const { viewer } = await app.graphql('{ viewer { pendingApprovals(last: 1) { nodes { id } } } }', {}, app.tokensOf('admin'));
    expect(ids(viewer.pendingApprovals)).toEqual(allIds.slice(-1));
  });

  test('is null for a user who cannot approve, and for any user other than the viewer', async () => {
    const otherUser = await app.graphql(`{ user(id: "${olga.id}") { pendingApprovals { totalCount } } }`, {}, admin);
    expect({ player: await viewerQueue(app.tokensOf('player')), otherUser }).toEqual({
      player: null,
      otherUser: { user: { pendingApprovals: null } },
    });
  });
});

test('viewerCan.approve is true if and only if an approval by the viewer counts', async () => {
  const callers = {
    olga,
    admin,
    confirmer: app.tokensOf('confirmer'),
    platform: app.platform,
    'platform for olga': { ...app.platform, ...olga },
  };
  const fields = 'id __typename viewerCan { approve } approval { given required }';
  const types: Record<string, string> = {
    SponsorImage: 'SPONSOR_IMAGE',
    UserImage: 'USER_IMAGE',
    Sponsor: 'SPONSOR',
    Biography: 'BIOGRAPHY',
  };
  for (const [caller, tokens] of Object.entries(callers)) {
    const { pendingApprovals } = await queue('', tokens, `nodes { ${fields} }`);
    for (const { id, __typename: type, viewerCan, approval } of pendingApprovals.nodes) {
      const approve = `mutation { approveItem(type: ${types[type]}, id: "${id}") { given item { viewerCan { approve } } } }`;
      const { approveItem } = await app.graphql(approve, {}, tokens);
      const isCounted = (approveItem?.given ?? approval.given) > approval.given;
      expect(viewerCan.approve, `${caller} approves ${type} ${id}`).toBe(isCounted);
      if (approveItem) expect(approveItem.item.viewerCan, `${caller} approved ${type} ${id}`).toEqual({ approve: false });
    }
  }
});
