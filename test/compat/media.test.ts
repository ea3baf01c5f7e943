import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';

let app: TestApp;
let player: Person;
let creator: Person;
let admin: Person;
let superAdmin: Person;
beforeAll(async () => {
  app = await startApp();
  player = await app.person({ firstName: 'Pia', lastName: 'Berg' });
  creator = await app.person({ roles: ['CONTENT_CREATOR'] });
  admin = await app.person({ roles: ['ADMIN'] });
  superAdmin = await app.person({ isSuperAdmin: true });
});
afterAll(() => app.close());

const user = ({ user }: Person): Tokens => ({ user });
const platformFor = ({ user }: Person): Tokens => ({ ...app.platform, user });
const sponsors = '/v1/admin/sponsors';
const approvals = '/v1/admin/system-approvals';

const sponsor = async (payload: object, tokens: Tokens = app.platform) =>
  (await app.rest('POST', sponsors, tokens, { payload })).body.result;
const step = (type: number, id: string, name: string, tokens: Tokens = app.platform, payload = {}) =>
  app.rest('PUT', `${approvals}/${type}/${id}/${name}`, tokens, { payload });
const count = async (path: string, tokens: Tokens = app.platform) => (await app.rest('GET', path, tokens)).body.totalRecords;

describe('approvals', () => {
  test('the way of a sponsor that needs two', async () => {
    const { uuid } = await sponsor({ title: 'Two' }, user(creator));
    const path = '/v1/admin/pending_sponsors';
    const isPending = async () =>
      (await app.rest('GET', path, app.platform)).body.result.some((item: { uuid: string }) => item.uuid === uuid);
    const way = [];
    for (const [name, tokens] of [
      ['approve', app.platform],
      ['approve', app.platform],
      ['approve', platformFor(admin)],
      ['unapprove', app.platform],
      ['approve', app.platform],
      ['unapprove', platformFor(superAdmin)],
    ] as const) {
      const { status, body } = await step(61, uuid, name, tokens);
      const { results, totalRecords } = (await app.rest('GET', `${approvals}/61/${uuid}`, app.platform)).body;
      const given = results.filter((approval: { dateCanceled: string | null }) => approval.dateCanceled === null).length;
      way.push([status, body, `${given} of ${totalRecords}`, await isPending()]);
    }
    const at = (given: string, pending: boolean) => [200, {}, given, pending];
    expect(way).toEqual([
      at('1 of 1', true),
      at('1 of 1', true),
      at('2 of 2', false),
      at('1 of 2', true),
      at('2 of 3', false),
      at('0 of 3', true),
    ]);
  });

  test('what needed no approval needs one after it was unapproved', async () => {
    const { uuid } = await sponsor({ title: 'Automatic' });
    const approved = async () => (await app.rest('GET', `/v1/data/sponsors/${uuid}`, app.platform)).body.isApproved;
    const states = [await approved()];
    for (const name of ['unapprove', 'approve']) {
      await step(61, uuid, name);
      states.push(await approved());
    }
    expect(states).toEqual([true, false, true]);
  });

  test('who approved is the user beside the platform', async () => {
    const { uuid } = await sponsor({ title: 'Signed' }, user(creator));
    await step(61, uuid, 'approve', platformFor(admin));
    const { body } = await app.rest('GET', `${approvals}/61/${uuid}`, user(player));
    expect(body.results[0]).toMatchObject({
      itemUuid: uuid,
      itemType: 'USER_SPONSOR',
      approvedByUuid: admin.id,
      dateCanceled: null,
    });
  });

  test.each([
    ['a user token alone', () => user(admin), 403],
    ['a user who confirms nothing', () => platformFor(player), 403],
    ['no token', () => ({}), 401],
    ['an unknown item', () => app.platform, 404],
  ])('%s: the step is refused', async (_, tokens, status) => {
    const answers = await Promise.all(
      ['approve', 'unapprove', 'decline'].map((name) => step(76, 'nobody', name, tokens(), { reason_of_rejection: 'No.' })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
  });

  test('only images and biographies of users are declined, and only while they are pending', async () => {
    const created = await app.rest('POST', `/v1/users/${player.id}/biography`, app.platform, { payload: { bioText: 'Lefty.' } });
    const { uuid } = created.body.result;
    const path = `/v1/admin/pending_biographies?user_uuid=${player.id}`;
    const before = await count(path);
    const answers = [
      await step(75, uuid, 'decline', app.platform, { reason_of_rejection: 'No.' }),
      await step(77, uuid, 'decline', app.platform, { reason_of_rejection: 'Short.' }),
      await step(77, uuid, 'approve'),
    ];
    expect([before, answers.map(({ status }) => status), await count(path)]).toEqual(['1', [400, 200, 409], '0']);
  });
});

describe('a removed approval', () => {
  test('stays in the list, with the moment and who removed it', async () => {
    const { uuid } = await sponsor({ title: 'Removed' }, user(creator));
    await step(61, uuid, 'approve', platformFor(admin));
    await step(61, uuid, 'unapprove', platformFor(superAdmin));
    await step(61, uuid, 'approve');
    await step(61, uuid, 'unapprove');
    const { body } = await app.rest('GET', `${approvals}/61/${uuid}`, app.platform);
    const given = { id: expect.any(String), itemUuid: uuid, itemType: 'USER_SPONSOR', dateApproved: expect.any(String) };
    const canceled = { dateCanceled: expect.stringMatching(/Z$/) };
    expect(body).toEqual({
      totalRecords: '2',
      results: [
        { ...given, approvedByUuid: 'test-platform', ...canceled, canceledByUuid: 'test-platform' },
        { ...given, approvedByUuid: admin.id, ...canceled, canceledByUuid: superAdmin.id },
      ],
    });
  });
});

describe('a decline needs its reason', () => {
  const decline = async (body: object) => {
    const payload = { bioText: 'Lefty.' };
    const { uuid } = (await app.rest('POST', `/v1/users/${player.id}/biography`, app.platform, { payload })).body.result;
    const answer = await app.rest('PUT', `${approvals}/77/${uuid}/decline`, app.platform, body);
    const { biography } = await app.graphql(`{ biography(id: "${uuid}") { approval { state declineReason } } }`);
    return [answer.status, answer.body.Message ?? '', biography.approval.state, biography.approval.declineReason];
  };

  test.for<[object, string]>([
    [{ payload: { reason_of_rejection: 'Too short.' } }, 'Too short.'],
    [{ payload: ' Too short. ' }, ' Too short. '],
    [{ payload: { reason_of_rejection: 4 } }, '4'],
  ])('%o gives it', async ([body, reason]) => {
    expect(await decline(body)).toEqual([200, '', 'DECLINED', reason]);
  });

  const missing = 'payload.reason_of_rejection: expected a value';
  const blank = 'payload.reason_of_rejection: expected the reason, which is for its owner';
  const noText = 'payload.reason_of_rejection: expected a string';
  test.for<[object, string]>([
    [{}, missing],
    [{ payload: null }, missing],
    [{ payload: {} }, missing],
    [{ payload: '' }, missing],
    [{ payload: { reason_of_rejection: '' } }, missing],
    [{ payload: { reason_of_rejection: null } }, missing],
    [{ payload: ' \t\u00a0' }, blank],
    [{ payload: { reason_of_rejection: '\n' } }, blank],
    [{ payload: [] }, noText],
    [{ payload: { reason_of_rejection: ['Too short.'] } }, noText],
  ])('%o does not', async ([body, message]) => {
    expect(await decline(body)).toEqual([400, message, 'PENDING', null]);
  });

  test('in the graph, too', async () => {
    const mutation = (reason: string) => app.graphql(`mutation { declineItem(type: BIOGRAPHY, id: "none"${reason}) { state } }`);
    const answers = [await mutation(''), await mutation(', reason: " "'), await mutation(', reason: "No."')];
    expect(answers.map(({ errors }) => errors[0])).toEqual([
      expect.stringContaining('argument "reason" of type "String!" is required'),
      'BAD_INPUT: reason: expected the reason, which is for its owner',
      'NOT_FOUND: no biography with the id none',
    ]);
  });
});

describe('images of users', () => {
  test('carry the name of their user, in the pending list as well', async () => {
    const { body } = await app.rest('POST', `/v1/users/${player.id}/image`, app.platform, {
      payload: { type: 'headerImg', firstName: 'Not', lastName: 'Asked' },
    });
    const pending = await app.rest('GET', `/v1/admin/pending_images?user_uuid=${player.id}`, app.platform);
    const named = { firstName: 'Pia', lastName: 'Berg' };
    expect([body.result, pending.body.results[0]]).toMatchObject([
      { ...named, type: 'headerImg' },
      { ...named, type: 'COVER', totalApprovals: 0 },
    ]);
  });

  test.each([
    [{}, 'payload.type: expected a type of image'],
    [{ type: 'COVER' }, 'payload.type: expected one of profileImg, headerImg, featuredImg, actionUserImg'],
    [{ type: 7 }, 'payload.type: expected one of profileImg, headerImg, featuredImg, actionUserImg'],
  ])('%o is refused', async (payload, message) => {
    const { status, body } = await app.rest('POST', `/v1/users/${player.id}/image`, app.platform, { payload });
    expect([status, body.Message]).toEqual([400, message]);
  });

  test('an id is taken once', async () => {
    const send = () =>
      app.rest('POST', `/v1/users/${player.id}/image`, app.platform, { payload: { uuid: 'twice', type: 'profileImg' } });
    expect([(await send()).status, (await send()).status]).toEqual([200, 409]);
  });
});

test('ids in paths are refused by their names when they are too long to be stored', async () => {
  const long = randomBytes(4_000).toString('hex');
  const { uuid } = await sponsor({ title: 'Joined' });
  const send = async (path: string, payload: object) => (await app.rest('POST', path, app.platform, { payload })).body.Message;
  expect([
    await send(`/v1/users/${long}/image`, { type: 'profileImg' }),
    await send(`/v1/users/${long}/biography`, {}),
    await send(`/v1/users/${long}/add_sponsor/${uuid}`, {}),
    await send(`${approvals}/${long}/comments`, { content: 'Blurred.' }),
    await send('/v1/game_scheduler', { ownerUuid: long }),
  ]).toEqual(
    ['uuid', 'uuid', 'uuid', 'item_uuid', 'payload.ownerUuid'].map((name) => `${name}: expected at most 255 characters`),
  );
});

test('a comment is reached through its own item only', async () => {
  const { body } = await app.rest('POST', `${approvals}/one/comments`, user(player), { payload: { content: 'Blurred.' } });
  const { uuid } = body.result;
  const through = (item: string) =>
    Promise.all(
      ['GET', 'PUT', 'DELETE'].map((method) =>
        app.rest(
          method,
          `${approvals}/${item}/comments/${uuid}`,
          app.platform,
          method === 'PUT' ? { payload: { content: 'x' } } : undefined,
        ),
      ),
    );
  expect((await through('other')).map(({ status }) => status)).toEqual([404, 404, 404]);
});
