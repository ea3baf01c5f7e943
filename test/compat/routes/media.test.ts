import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

let app: TestApp;
let player: Person;
let creator: Person;
let admin: Person;
let confirmer: Person;
let superAdmin: Person;
beforeAll(async () => {
  app = await startApp();
  player = await app.person({ firstName: 'Pia', lastName: 'Berg' });
  creator = await app.person({ roles: ['CONTENT_CREATOR'] });
  admin = await app.person({ roles: ['ADMIN'] });
  confirmer = await app.person({ roles: ['CONTENT_CONFIRMER'] });
  superAdmin = await app.person({ isSuperAdmin: true });
});
afterAll(() => app.close());

const user = ({ user }: Person): Tokens => ({ user });
const platformFor = ({ user }: Person): Tokens => ({ ...app.platform, user });
const sponsors = '/v1/admin/sponsors';
const approvals = '/v1/admin/system-approvals';

const sponsor = async (payload: object, tokens: Tokens = app.platform) =>
  (await app.rest('POST', sponsors, tokens, { payload })).body.result;
const putApproval = (type: number, id: string, action: string, tokens: Tokens = app.platform, payload = {}) =>
  app.rest('PUT', `${approvals}/${type}/${id}/${action}`, tokens, { payload });
const count = async (path: string, tokens: Tokens = app.platform) => (await app.rest('GET', path, tokens)).body.totalRecords;

describe('approvals', () => {
  test('a sponsor that needs two approvals is pending until it has both', async () => {
    const { uuid } = await sponsor({ title: 'Two' }, user(creator));
    const path = '/v1/admin/pending_sponsors';
    const isPending = async () =>
      (await app.rest('GET', path, app.platform)).body.result.some((item: { uuid: string }) => item.uuid === uuid);
    const apply = async (action: string, tokens: Tokens) => {
      const { status, body } = await putApproval(61, uuid, action, tokens);
      const { results, totalRecords } = (await app.rest('GET', `${approvals}/61/${uuid}`, app.platform)).body;
      const active = results.filter((approval: { dateCanceled: string | null }) => approval.dateCanceled === null).length;
      return { status, body, approvals: `${active} of ${totalRecords}`, pending: await isPending() };
    };
    const succeeded = { status: 200, body: {} };
    const refused = (message: string) => ({ status: 409, body: expect.objectContaining({ Message: message }) });
    expect({
      first: await apply('approve', app.platform),
      sameApproverAgain: await apply('approve', app.platform),
      second: await apply('approve', platformFor(confirmer)),
      ownRemovedByConfirmer: await apply('unapprove', platformFor(confirmer)),
      ownRemovedAgain: await apply('unapprove', platformFor(confirmer)),
      allRemovedByPlatform: await apply('unapprove', app.platform),
      noneLeft: await apply('unapprove', app.platform),
      firstAgain: await apply('approve', app.platform),
      allRemovedByAdmin: await apply('unapprove', platformFor(admin)),
      firstAgainAgain: await apply('approve', app.platform),
      allRemovedBySuperAdmin: await apply('unapprove', platformFor(superAdmin)),
    }).toEqual({
      first: { ...succeeded, approvals: '1 of 1', pending: true },
      sameApproverAgain: { ...succeeded, approvals: '1 of 1', pending: true },
      second: { ...succeeded, approvals: '2 of 2', pending: false },
      ownRemovedByConfirmer: { ...succeeded, approvals: '1 of 2', pending: true },
      ownRemovedAgain: { ...refused('the caller has not approved the item'), approvals: '1 of 2', pending: true },
      allRemovedByPlatform: { ...succeeded, approvals: '0 of 2', pending: true },
      noneLeft: { ...refused('the item has no approvals to cancel'), approvals: '0 of 2', pending: true },
      firstAgain: { ...succeeded, approvals: '1 of 3', pending: true },
      allRemovedByAdmin: { ...succeeded, approvals: '0 of 3', pending: true },
      firstAgainAgain: { ...succeeded, approvals: '1 of 4', pending: true },
      allRemovedBySuperAdmin: { ...succeeded, approvals: '0 of 4', pending: true },
    });
  });

  test('an item that was approved automatically needs an approval after it is unapproved', async () => {
    const { uuid } = await sponsor({ title: 'Automatic' });
    const isApproved = async () => (await app.rest('GET', `/v1/data/sponsors/${uuid}`, app.platform)).body.isApproved;
    const created = await isApproved();
    await putApproval(61, uuid, 'unapprove');
    const unapproved = await isApproved();
    await putApproval(61, uuid, 'approve');
    expect({ created, unapproved, approved: await isApproved() }).toEqual({ created: true, unapproved: false, approved: true });
  });

  test('an approval with a platform token and a user token is recorded for the user', async () => {
    const { uuid } = await sponsor({ title: 'Signed' }, user(creator));
    await putApproval(61, uuid, 'approve', platformFor(admin));
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
    ['a user without approval permissions', () => platformFor(player), 403],
    ['no token', () => ({}), 401],
    ['an unknown item', () => app.platform, 404],
  ])('with %s are rejected', async (_, tokens, status) => {
    const statusOf = async (action: string) =>
      (await putApproval(76, 'nobody', action, tokens(), { reason_of_rejection: 'No.' })).status;
    expect({
      approve: await statusOf('approve'),
      unapprove: await statusOf('unapprove'),
      decline: await statusOf('decline'),
    }).toEqual({ approve: status, unapprove: status, decline: status });
  });

  test('only a pending image or biography of a user can be declined', async () => {
    const created = await app.rest('POST', `/v1/users/${player.id}/biography`, app.platform, { payload: { bioText: 'Lefty.' } });
    const { uuid } = created.body.result;
    const path = `/v1/admin/pending_biographies?user_uuid=${player.id}`;
    const pendingBefore = await count(path);
    const decline = async (type: number, reason: string) =>
      (await putApproval(type, uuid, 'decline', app.platform, { reason_of_rejection: reason })).status;
    expect({
      pendingBefore,
      declineAsOtherType: await decline(75, 'No.'),
      decline: await decline(77, 'Short.'),
      approveAfterDecline: (await putApproval(77, uuid, 'approve')).status,
      pendingAfter: await count(path),
    }).toEqual({
      pendingBefore: '1',
      declineAsOtherType: 400,
      decline: 200,
      approveAfterDecline: 409,
      pendingAfter: '0',
    });
  });
});

describe('a removed approval', () => {
  test('stays in the list, with the time and the user or platform that removed it', async () => {
    const { uuid } = await sponsor({ title: 'Removed' }, user(creator));
    await putApproval(61, uuid, 'approve', platformFor(admin));
    await putApproval(61, uuid, 'unapprove', platformFor(superAdmin));
    await putApproval(61, uuid, 'approve');
    await putApproval(61, uuid, 'unapprove');
    const { body } = await app.rest('GET', `${approvals}/61/${uuid}`, app.platform);
    const approval = { id: expect.any(String), itemUuid: uuid, itemType: 'USER_SPONSOR', dateApproved: expect.any(String) };
    const canceled = { dateCanceled: expect.stringMatching(/Z$/) };
    expect(body).toEqual({
      totalRecords: '2',
      results: [
        { ...approval, approvedByUuid: 'test-platform', ...canceled, canceledByUuid: 'test-platform' },
        { ...approval, approvedByUuid: admin.id, ...canceled, canceledByUuid: superAdmin.id },
      ],
    });
  });
});

describe('the reason for a decline', () => {
  const decline = async (body: object) => {
    const payload = { bioText: 'Lefty.' };
    const { uuid } = (await app.rest('POST', `/v1/users/${player.id}/biography`, app.platform, { payload })).body.result;
    const answer = await app.rest('PUT', `${approvals}/77/${uuid}/decline`, app.platform, body);
    const { biography } = await app.graphql(`{ biography(id: "${uuid}") { approval { state declineReason } } }`);
    return { status: answer.status, message: answer.body.Message ?? '', ...biography.approval };
  };

  test.for<[object, string]>([
    [{ payload: { reason_of_rejection: 'Too short.' } }, 'Too short.'],
    [{ payload: ' Too short. ' }, ' Too short. '],
    [{ payload: { reason_of_rejection: 4 } }, '4'],
  ])('is stored from %o', async ([body, declineReason]) => {
    expect(await decline(body)).toEqual({ status: 200, message: '', state: 'DECLINED', declineReason });
  });

  const missing = 'payload.reason_of_rejection: expected a value';
  const blank = 'payload.reason_of_rejection: expected a non-blank reason';
  const notString = 'payload.reason_of_rejection: expected a string';
  test.for<[object, string]>([
    [{}, missing],
    [{ payload: null }, missing],
    [{ payload: {} }, missing],
    [{ payload: '' }, missing],
    [{ payload: { reason_of_rejection: '' } }, missing],
    [{ payload: { reason_of_rejection: null } }, missing],
    [{ payload: ' \t\u00a0' }, blank],
    [{ payload: { reason_of_rejection: '\n' } }, blank],
    [{ payload: [] }, notString],
    [{ payload: { reason_of_rejection: ['Too short.'] } }, notString],
  ])('is required, but missing or invalid in %o', async ([body, message]) => {
    expect(await decline(body)).toEqual({ status: 400, message, state: 'PENDING', declineReason: null });
  });

  test('is required by the mutation declineItem', async () => {
    const errorFor = async (reason: string) => {
      const { errors } = await app.graphql(`mutation { declineItem(type: BIOGRAPHY, id: "none"${reason}) { state } }`);
      return errors[0];
    };
    expect({
      missing: await errorFor(''),
      blank: await errorFor(', reason: " "'),
      valid: await errorFor(', reason: "No."'),
    }).toEqual({
      missing: expect.stringContaining('argument "reason" of type "String!" is required'),
      blank: 'BAD_INPUT: reason: expected a non-blank reason',
      valid: 'NOT_FOUND: no biography with the id none',
    });
  });
});

test.each([
  '/v1/admin/pending_images',
  '/v1/admin/pending_biographies',
  '/v1/admin/pending_sponsors',
  '/v1/admin/pending_sponsor_images',
])('%s lists the same items to a platform with and without a user token', async (path) => {
  await app.rest('POST', `/v1/users/${player.id}/image`, app.platform, { payload: { type: 'headerImg' } });
  await app.rest('POST', `/v1/users/${player.id}/biography`, app.platform, { payload: { bioText: 'Plays.' } });
  await sponsor({ title: 'Pending', sponsorImages: [{ url: 'https://images.example/pending.png' }] }, user(creator));
  const [reader, alone] = [await app.person(), await app.rest('GET', path, app.platform)];
  const { status, body } = await app.rest('GET', path, platformFor(reader));
  expect({ status, body, isEmpty: body.totalRecords === '0' }).toEqual({ status: 200, body: alone.body, isEmpty: false });
});

describe('images of users', () => {
  test('have the name of their user, including in the list of pending images', async () => {
    const { body } = await app.rest('POST', `/v1/users/${player.id}/image`, app.platform, {
      payload: { type: 'headerImg', firstName: 'Not', lastName: 'Asked' },
    });
    const pending = await app.rest('GET', `/v1/admin/pending_images?user_uuid=${player.id}`, app.platform);
    const name = { firstName: 'Pia', lastName: 'Berg' };
    expect({ created: body.result, pending: pending.body.results[0] }).toMatchObject({
      created: { ...name, type: 'headerImg' },
      pending: { ...name, type: 'COVER', totalApprovals: 0 },
    });
  });

  test.each([
    [{}, 'payload.type: expected an image type'],
    [{ type: 'COVER' }, 'payload.type: expected one of profileImg, headerImg, featuredImg, actionUserImg'],
    [{ type: 7 }, 'payload.type: expected one of profileImg, headerImg, featuredImg, actionUserImg'],
  ])('are rejected for %o', async (payload, message) => {
    const { status, body } = await app.rest('POST', `/v1/users/${player.id}/image`, app.platform, { payload });
    expect({ status, message: body.Message }).toEqual({ status: 400, message });
  });

  test('have unique IDs', async () => {
    const statusOfPost = async () => {
      const payload = { uuid: 'twice', type: 'profileImg' };
      return (await app.rest('POST', `/v1/users/${player.id}/image`, app.platform, { payload })).status;
    };
    expect({ first: await statusOfPost(), second: await statusOfPost() }).toEqual({ first: 200, second: 409 });
  });
});

test('rejects an ID that is too long to be stored, with the name of its field', async () => {
  const long = randomBytes(4_000).toString('hex');
  const { uuid } = await sponsor({ title: 'Joined' });
  const send = async (path: string, payload: object) => (await app.rest('POST', path, app.platform, { payload })).body.Message;
  expect({
    image: await send(`/v1/users/${long}/image`, { type: 'profileImg' }),
    biography: await send(`/v1/users/${long}/biography`, {}),
    sponsor: await send(`/v1/users/${long}/add_sponsor/${uuid}`, {}),
    comment: await send(`${approvals}/${long}/comments`, { content: 'Blurred.' }),
    game: await send('/v1/game_scheduler', { ownerUuid: long }),
  }).toEqual({
    image: 'uuid: expected at most 255 characters',
    biography: 'uuid: expected at most 255 characters',
    sponsor: 'uuid: expected at most 255 characters',
    comment: 'item_uuid: expected at most 255 characters',
    game: 'payload.ownerUuid: expected at most 255 characters',
  });
});

test('a comment may have 65,536 characters', async () => {
  const post = async (length: number) => {
    const payload = { content: 'x'.repeat(length) };
    const { status, body } = await app.rest('POST', `${approvals}/one/comments`, user(player), { payload });
    return { status, length: body.result?.content.length };
  };
  expect({ longest: await post(65_536), tooLong: await post(65_537) }).toEqual({
    longest: { status: 200, length: 65_536 },
    tooLong: { status: 400, length: undefined },
  });
});

test('a comment may be blank, but not empty', async () => {
  const send = async (method: string, path: string, content: string) => {
    const { status, body } = await app.rest(method, path, user(player), { payload: { content } });
    return { status, uuid: body.result?.uuid, content: body.result?.content };
  };
  const path = `${approvals}/one/comments`;
  const blank = await send('POST', path, ' ');
  expect({
    created: blank,
    changed: await send('PUT', `${path}/${blank.uuid}`, ' \n'),
    empty: (await send('POST', path, '')).status,
  }).toEqual({
    created: { status: 200, uuid: expect.any(String), content: ' ' },
    changed: { status: 200, uuid: blank.uuid, content: ' \n' },
    empty: 400,
  });
});

test('an emoji in a comment is one character', async () => {
  const post = async (characters: number) => {
    const payload = { content: '🏓'.repeat(characters) };
    return (await app.rest('POST', `${approvals}/one/comments`, user(player), { payload })).status;
  };
  expect({ longest: await post(65_536), tooLong: await post(65_537) }).toEqual({ longest: 200, tooLong: 400 });
});

test('a comment is not found under the path of another item', async () => {
  const { body } = await app.rest('POST', `${approvals}/one/comments`, user(player), { payload: { content: 'Blurred.' } });
  const path = `${approvals}/other/comments/${body.result.uuid}`;
  expect({
    get: (await app.rest('GET', path, app.platform)).status,
    put: (await app.rest('PUT', path, app.platform, { payload: { content: 'x' } })).status,
    delete: (await app.rest('DELETE', path, app.platform)).status,
  }).toEqual({ get: 404, put: 404, delete: 404 });
});
