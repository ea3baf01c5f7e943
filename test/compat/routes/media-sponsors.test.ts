import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

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

const sponsor = async (payload: object, tokens: Tokens = app.platform) =>
  (await app.rest('POST', sponsors, tokens, { payload })).body.result;
const count = async (path: string, tokens: Tokens = app.platform) => (await app.rest('GET', path, tokens)).body.totalRecords;

describe('sponsors', () => {
  test('that are not approved are visible to platforms and admins, but not to regular users', async () => {
    const { uuid } = await sponsor({ title: 'Unseen' }, user(creator));
    const read = async (tokens: Tokens) => ({
      total: await count('/v1/data/sponsors?title=unseen', tokens),
      status: (await app.rest('GET', `/v1/data/sponsors/${uuid}`, tokens)).status,
    });
    const hidden = { total: '0', status: 404 };
    const visible = { total: '1', status: 200 };
    expect({
      player: await read(user(player)),
      creator: await read(user(creator)),
      platformWithCreator: await read(platformFor(creator)),
      admin: await read(user(admin)),
      superAdmin: await read(user(superAdmin)),
      platform: await read(app.platform),
      platformWithAdmin: await read(platformFor(admin)),
    }).toEqual({
      player: hidden,
      creator: hidden,
      platformWithCreator: hidden,
      admin: visible,
      superAdmin: visible,
      platform: visible,
      platformWithAdmin: visible,
    });
  });

  test('are returned with the images that were sent, in any approval state', async () => {
    const imagesNamed = (...titles: string[]) =>
      titles.map((title) => ({ uuid: `sent-${title}`, url: `https://img.example/${title}` }));
    const { uuid } = await sponsor({ title: 'Sent', userUuid: creator.id, sponsorImages: imagesNamed('unsent') }, app.platform);
    const images = (result: { sponsorImages: { uuid: string; isApproved: boolean }[] }) =>
      result.sponsorImages.map((image) => `${image.uuid} ${image.isApproved}`);
    const put = async (payload: object, tokens: Tokens) =>
      images((await app.rest('PUT', `${sponsors}/${uuid}`, tokens, { payload: { title: 'Sent', ...payload } })).body.result);
    const read = async (tokens: Tokens) => images((await app.rest('GET', `/v1/data/sponsors/${uuid}`, tokens)).body);
    await app.sql.rows(`update sponsor set approval_state = 'APPROVED' where id = $1`, [uuid]);
    expect({
      created: images(await sponsor({ title: 'Created', sponsorImages: imagesNamed('created') }, user(creator))),
      changed: await put({ sponsorImages: imagesNamed('one', 'two') }, platformFor(player)),
      withoutImages: await put({}, platformFor(player)),
      byPlatform: await put({ sponsorImages: imagesNamed('two') }, app.platform),
      read: await read(app.platform),
    }).toEqual({
      created: ['sent-created false'],
      changed: ['sent-one false', 'sent-two false'],
      withoutImages: [],
      byPlatform: ['sent-unsent false', 'sent-one false', 'sent-two false'],
      read: ['sent-unsent false', 'sent-one false', 'sent-two false'],
    });
  });

  test('are limited to approved ones by show_approved', async () => {
    await sponsor({ title: 'Shown 1' }, user(creator));
    await sponsor({ title: 'Shown 2' });
    expect({
      default: await count('/v1/data/sponsors?title=SHOWN'),
      showApprovedFalse: await count('/v1/data/sponsors?title=SHOWN&show_approved=false'),
      showApprovedTrue: await count('/v1/data/sponsors?title=SHOWN&show_approved=true'),
    }).toEqual({ default: '2', showApprovedFalse: '2', showApprovedTrue: '1' });
  });

  test('cannot be listed with a show_disabled that is not a boolean', async () =>
    expect((await app.rest('GET', '/v1/data/sponsors?show_disabled=maybe', app.platform)).body.Message).toBe(
      'show_disabled: expected true, false, 1 or 0',
    ));

  test('are all listed when the request has no page size', async () => {
    await app.sql.rows(
      `insert into sponsor (id, title, approval_state) select 'many-' || n, 'Many', 'APPROVED' from generate_series(1, 130) n`,
    );
    const { body } = await app.rest('GET', '/v1/data/sponsors?title=many', user(player));
    expect({ total: body.totalRecords, count: body.result.length }).toEqual({ total: '130', count: 130 });
  });

  test('are assigned to a user by add_sponsor, which keeps the fields that its body omits', async () => {
    const { uuid } = await sponsor({ title: 'Joined', isPrimary: true, dateStartedSponsorship: '2026-01-01T00:00:00Z' });
    await app.rest('POST', `/v1/users/${player.id}/add_sponsor/${uuid}`, app.platform, {
      dateStartedSponsorship: '2026-02-02T00:00:00Z',
    });
    const { body } = await app.rest('GET', `/v1/data/sponsors/${uuid}`, app.platform);
    expect(body).toMatchObject({ userUuid: player.id, dateStartedSponsorship: '2026-02-02T00:00:00Z', isPrimary: true });
  });

  test('reject a date of 250,000 characters without delay', async () => {
    const { uuid } = await sponsor({ title: 'Dated' });
    const { status, body } = await app.rest('POST', `/v1/users/${player.id}/add_sponsor/${uuid}`, app.platform, {
      dateStartedSponsorship: `2026-02-02T${' '.repeat(250_000)}`,
    });
    expect({ status, message: body.Message }).toEqual({
      status: 400,
      message: expect.stringMatching(/^dateStartedSponsorship: expected /),
    });
  });

  test('keep the images that a PUT omits, and new images have the approval state of their sponsor', async () => {
    const created = await sponsor({ title: 'Gallery', sponsorImages: [{ uuid: 'kept', url: 'https://1' }] }, user(creator));
    const payload = { title: 'Gallery', sponsorImages: [{ uuid: 'added', url: 'https://2', displayOrder: 2 }], Size: 'large' };
    const { body } = await app.rest('PUT', `${sponsors}/${created.uuid}`, app.platform, { payload });
    const images = body.result.sponsorImages.map(({ uuid, size, isApproved }: Record<string, unknown>) => ({
      uuid,
      size,
      isApproved,
    }));
    expect(images).toEqual([
      { uuid: 'kept', size: '', isApproved: false },
      { uuid: 'added', size: 'large', isApproved: false },
    ]);
  });

  test('need a new approval after a PUT changes their title, unless an admin sends it', async () => {
    const put = async (uuid: string, payload: object, tokens: Tokens) => {
      const { isApproved, title } = (await app.rest('PUT', `${sponsors}/${uuid}`, tokens, { payload })).body.result;
      return { isApproved, approvedTotal: await count(`/v1/data/sponsors?show_approved=true&title=${title}`) };
    };
    const url = 'https://watched';
    const { uuid } = await sponsor({ title: 'Watched', url });
    expect({
      orderByCreator: await put(uuid, { title: 'Watched', url, displayOrder: 4 }, platformFor(creator)),
      titleByAdmin: await put(uuid, { title: 'Rewatched', url }, platformFor(admin)),
      titleByCreator: await put(uuid, { title: 'Unwatched', url }, platformFor(creator)),
    }).toEqual({
      orderByCreator: { isApproved: true, approvedTotal: '1' },
      titleByAdmin: { isApproved: true, approvedTotal: '1' },
      titleByCreator: { isApproved: false, approvedTotal: '0' },
    });
  });

  test('apply the size and color of a PUT without images to their only image, or to images that have none', async () => {
    const put = async (uuid: string, payload: object) =>
      (await app.rest('PUT', `${sponsors}/${uuid}`, app.platform, { payload })).body.result.sponsorImages.map(
        ({ url, size, color }: Record<string, unknown>) => ({ url, size, color }),
      );
    const single = await sponsor({ title: 'One', url: 'https://one', Size: 'S', Color: 'red' });
    const two = await sponsor({
      title: 'Two',
      sponsorImages: [
        { url: 'a', displayOrder: 1, size: 'S' },
        { url: 'b', displayOrder: 2 },
      ],
    });
    expect({
      oneImage: await put(single.uuid, { Size: 'L' }),
      twoImages: await put(two.uuid, { Size: 'L', Color: 'blue' }),
    }).toEqual({
      oneImage: [{ url: 'https://one', size: 'L', color: 'red' }],
      twoImages: [
        { url: 'a', size: 'S', color: 'blue' },
        { url: 'b', size: 'L', color: 'blue' },
      ],
    });
  });

  test('cannot claim the image of another sponsor', async () => {
    await sponsor({ title: 'Owner', sponsorImages: [{ uuid: 'owned' }] });
    const { uuid } = await sponsor({ title: 'Taker' });
    const { status } = await app.rest('PUT', `${sponsors}/${uuid}`, app.platform, {
      payload: { title: 'Changed', sponsorImages: [{ uuid: 'owned' }] },
    });
    const { body } = await app.rest('GET', `/v1/data/sponsors/${uuid}`, app.platform);
    expect({ status, title: body.title }).toEqual({ status: 409, title: 'Taker' });
    const post = await app.rest('POST', sponsors, app.platform, { payload: { sponsorImages: [{ uuid: 'owned' }] } });
    expect(post.body.Message).toBe('another sponsorImage has the same id');
  });

  test.each([
    [{ isPrimary: 'yes' }, 'payload.isPrimary: expected true or false'],
    [{ displayOrder: 'first' }, 'payload.displayOrder: expected a number'],
    [{ dateDisabled: 'soon' }, 'payload.dateDisabled: expected an ISO 8601 timestamp such as 2026-03-01T09:30:00Z'],
    [{ sponsorImages: {} }, 'payload.sponsorImages: expected an array'],
    [{ sponsorImages: [{}, { url: 1, displayOrder: [] }] }, 'payload.sponsorImages[1].displayOrder: expected a number'],
    [{ title: 'T'.repeat(200_000) }, 'payload.title: expected at most 10000 characters'],
    [{ sponsorImages: [{}, { url: 'u'.repeat(10_001) }] }, 'payload.sponsorImages[1].url: expected at most 10000 characters'],
    [{ sponsorImages: [{ url: 'a\0' }] }, 'payload.sponsorImages[0].url: expected text without NUL characters'],
  ])('are rejected for %o', async (payload, message) => {
    const { status, body } = await app.rest('POST', sponsors, app.platform, { payload });
    expect({ status, message: body.Message }).toEqual({ status: 400, message });
  });
});
