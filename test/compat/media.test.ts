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
      way.push([status, body, await count(`${approvals}/61/${uuid}`), await isPending()]);
    }
    const at = (given: string, pending: boolean) => [200, {}, given, pending];
    expect(way).toEqual([at('1', true), at('1', true), at('2', false), at('1', true), at('2', false), at('0', true)]);
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
    const answers = await Promise.all(['approve', 'unapprove', 'decline'].map((name) => step(76, 'nobody', name, tokens())));
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
  });

  test('only images and biographies of users are declined, and only while they are pending', async () => {
    const created = await app.rest('POST', `/v1/users/${player.id}/biography`, app.platform, { payload: { bioText: 'Lefty.' } });
    const { uuid } = created.body.result;
    const path = `/v1/admin/pending_biographies?user_uuid=${player.id}`;
    const before = await count(path);
    const answers = [
      await step(75, uuid, 'decline'),
      await step(77, uuid, 'decline', app.platform, { reason_of_rejection: 'Short.' }),
      await step(77, uuid, 'approve'),
    ];
    expect([before, answers.map(({ status }) => status), await count(path)]).toEqual(['1', [400, 200, 409], '0']);
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
