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

describe('sponsors', () => {
  test('regular users see approved ones only, their own as well; platforms and admins see all', async () => {
    const { uuid } = await sponsor({ title: 'Unseen' }, user(creator));
    const callers = [
      user(player),
      user(creator),
      platformFor(creator),
      user(admin),
      user(superAdmin),
      app.platform,
      platformFor(admin),
    ];
    const seen = callers.map(async (tokens) => [
      await count('/v1/data/sponsors?title=unseen', tokens),
      (await app.rest('GET', `/v1/data/sponsors/${uuid}`, tokens)).status,
    ]);
    const [no, yes] = [
      ['0', 404],
      ['1', 200],
    ];
    expect(await Promise.all(seen)).toEqual([no, no, no, yes, yes, yes, yes]);
  });

  test('show_approved gives approved ones only', async () => {
    await sponsor({ title: 'Shown 1' }, user(creator));
    await sponsor({ title: 'Shown 2' });
    const asked = ['', '&show_approved=false', '&show_approved=true'].map((more) =>
      count(`/v1/data/sponsors?title=SHOWN${more}`),
    );
    expect(await Promise.all(asked)).toEqual(['2', '2', '1']);
  });

  test('a wish that is no bool is refused', async () =>
    expect((await app.rest('GET', '/v1/data/sponsors?show_disabled=maybe', app.platform)).body.Message).toBe(
      'show_disabled: expected true, false, 1 or 0',
    ));

  test('a list without pages gives everything', async () => {
    await app.sql.rows(
      `insert into sponsor (id, title, approval_state) select 'many-' || n, 'Many', 'APPROVED' from generate_series(1, 130) n`,
    );
    const { body } = await app.rest('GET', '/v1/data/sponsors?title=many', user(player));
    expect([body.totalRecords, body.result.length]).toEqual(['130', 130]);
  });

  test('a user joins a sponsor by add_sponsor; what the body leaves out stays', async () => {
    const { uuid } = await sponsor({ title: 'Joined', isPrimary: true, dateStartedSponsorship: '2026-01-01T00:00:00Z' });
    await app.rest('POST', `/v1/users/${player.id}/add_sponsor/${uuid}`, app.platform, {
      dateStartedSponsorship: '2026-02-02T00:00:00Z',
    });
    const { body } = await app.rest('GET', `/v1/data/sponsors/${uuid}`, app.platform);
    expect(body).toMatchObject({ userUuid: player.id, dateStartedSponsorship: '2026-02-02T00:00:00Z', isPrimary: true });
  });

  test('images that a PUT does not name stay, and new ones follow their sponsor', async () => {
    const made = await sponsor({ title: 'Gallery', sponsorImages: [{ uuid: 'kept', url: 'https://1' }] }, user(creator));
    const payload = { title: 'Gallery', sponsorImages: [{ uuid: 'added', url: 'https://2', displayOrder: 2 }], Size: 'large' };
    const { body } = await app.rest('PUT', `${sponsors}/${made.uuid}`, app.platform, { payload });
    const images = body.result.sponsorImages.map(({ uuid, size, isApproved }: Record<string, unknown>) => ({
      uuid,
      size,
      isApproved,
    }));
    expect(images).toEqual([
      { uuid: 'added', size: 'large', isApproved: false },
      { uuid: 'kept', size: '', isApproved: false },
    ]);
  });

  test("another sponsor's image is not taken over", async () => {
    await sponsor({ title: 'Owner', sponsorImages: [{ uuid: 'owned' }] });
    const { uuid } = await sponsor({ title: 'Taker' });
    const { status } = await app.rest('PUT', `${sponsors}/${uuid}`, app.platform, {
      payload: { title: 'Changed', sponsorImages: [{ uuid: 'owned' }] },
    });
    const { body } = await app.rest('GET', `/v1/data/sponsors/${uuid}`, app.platform);
    expect([status, body.title]).toEqual([409, 'Taker']);
  });

  test.each([
    [{ isPrimary: 'yes' }, 'payload.isPrimary: expected true or false'],
    [{ displayOrder: 'first' }, 'payload.displayOrder: expected a number'],
    [{ dateDisabled: 'soon' }, 'payload.dateDisabled: expected an RFC 3339 timestamp such as 2026-03-01T09:30:00Z'],
    [{ sponsorImages: {} }, 'payload.sponsorImages: expected an array'],
    [{ sponsorImages: [{}, { url: 1, displayOrder: [] }] }, 'payload.sponsorImages[1].displayOrder: expected a number'],
    [{ title: 'T'.repeat(200_000) }, 'payload.title: expected at most 10000 characters'],
    [{ sponsorImages: [{ url: 'a\0' }] }, 'payload.sponsorImages[0].url: expected text without NUL characters'],
  ])('%o is refused', async (payload, message) => {
    const { status, body } = await app.rest('POST', sponsors, app.platform, { payload });
    expect([status, body.Message]).toEqual([400, message]);
  });
});

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
