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

const sponsor = async (payload: object, tokens: Tokens = app.platform) =>
  (await app.rest('POST', sponsors, tokens, { payload })).body.result;
const count = async (path: string, tokens: Tokens = app.platform) => (await app.rest('GET', path, tokens)).body.totalRecords;

describe('sponsors', () => {
  test('regular users see approved ones only, whoever made them; platforms and admins see all', async () => {
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
      { uuid: 'kept', size: '', isApproved: false },
      { uuid: 'added', size: 'large', isApproved: false },
    ]);
  });

  test('an approved sponsor awaits approval again when a PUT changes it, unless it comes from an admin', async () => {
    const put = async (uuid: string, payload: object, tokens: Tokens) => {
      const { body } = await app.rest('PUT', `${sponsors}/${uuid}`, tokens, { payload });
      return [body.result.isApproved, await count(`/v1/data/sponsors?show_approved=true&title=${body.result.title}`)];
    };
    const { uuid } = await sponsor({ title: 'Watched', url: 'https://watched' });
    expect([
      await put(uuid, { title: 'Watched', url: 'https://watched', displayOrder: 4 }, platformFor(creator)),
      await put(uuid, { title: 'Rewatched', url: 'https://watched' }, platformFor(admin)),
      await put(uuid, { title: 'Unwatched', url: 'https://watched' }, platformFor(creator)),
    ]).toEqual([
      [true, '1'],
      [true, '1'],
      [false, '0'],
    ]);
  });

  test('size and color of a PUT without images are those of its only image, or of the images that state none', async () => {
    const put = async (uuid: string, payload: object) =>
      (await app.rest('PUT', `${sponsors}/${uuid}`, app.platform, { payload })).body.result.sponsorImages.map(
        ({ url, size, color }: Record<string, unknown>) => [url, size, color],
      );
    const one = await sponsor({ title: 'One', url: 'https://one', Size: 'S', Color: 'red' });
    const two = await sponsor({
      title: 'Two',
      sponsorImages: [
        { url: 'a', displayOrder: 1, size: 'S' },
        { url: 'b', displayOrder: 2 },
      ],
    });
    expect([await put(one.uuid, { Size: 'L' }), await put(two.uuid, { Size: 'L', Color: 'blue' })]).toEqual([
      [['https://one', 'L', 'red']],
      [
        ['a', 'S', 'blue'],
        ['b', 'L', 'blue'],
      ],
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
    const again = await app.rest('POST', sponsors, app.platform, { payload: { sponsorImages: [{ uuid: 'owned' }] } });
    expect(again.body.Message).toBe('another sponsorImage has the same id');
  });

  test.each([
    [{ isPrimary: 'yes' }, 'payload.isPrimary: expected true or false'],
    [{ displayOrder: 'first' }, 'payload.displayOrder: expected a number'],
    [{ dateDisabled: 'soon' }, 'payload.dateDisabled: expected an RFC 3339 timestamp such as 2026-03-01T09:30:00Z'],
    [{ sponsorImages: {} }, 'payload.sponsorImages: expected an array'],
    [{ sponsorImages: [{}, { url: 1, displayOrder: [] }] }, 'payload.sponsorImages[1].displayOrder: expected a number'],
    [{ title: 'T'.repeat(200_000) }, 'payload.title: expected at most 10000 characters'],
    [{ sponsorImages: [{}, { url: 'u'.repeat(10_001) }] }, 'payload.sponsorImages[1].url: expected at most 10000 characters'],
    [{ sponsorImages: [{ url: 'a\0' }] }, 'payload.sponsorImages[0].url: expected text without NUL characters'],
  ])('%o is refused', async (payload, message) => {
    const { status, body } = await app.rest('POST', sponsors, app.platform, { payload });
    expect([status, body.Message]).toEqual([400, message]);
  });
});
