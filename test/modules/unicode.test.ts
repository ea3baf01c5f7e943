import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** The same text with `é` as one character, and as a letter with a mark behind it. */
const forms = ['Café Élan'.normalize('NFC'), 'Café Élan'.normalize('NFD')] as const;
const [composed, decomposed] = forms;

describe('titles that differ in their Unicode form only', () => {
  beforeAll(async () => {
    for (const [index, title] of [...forms, 'Cafe Elan'].entries()) {
      await app.graphql('mutation ($input: TournamentInput!) { createTournament(input: $input) { id } }', {
        input: { id: `form-${index}`, title, startsAt: `2026-01-0${index + 1}T00:00:00Z` },
      });
    }
  });
  const find = async (filter: object) =>
    (
      await app.graphql('query ($filter: TournamentFilter) { tournaments(filter: $filter) { nodes { id } } }', { filter })
    ).tournaments.nodes
      .map(({ id }: { id: string }) => id)
      .join(' ');

  test.for<[string, (text: string) => object, string]>([
    ['eq', (eq) => ({ title: { eq } }), 'form-0 form-1'],
    ['ne', (ne) => ({ title: { ne } }), 'form-2'],
    ['in', (title) => ({ title: { in: [title, 'other'] } }), 'form-0 form-1'],
    ['contains', (text) => ({ title: { contains: text.toUpperCase() } }), 'form-0 form-1'],
    ['startsWith', (text) => ({ title: { startsWith: text.slice(0, -1) } }), 'form-0 form-1'],
    ['or', (eq) => ({ or: [{ title: { eq } }, { id: { eq: 'form-2' } }] }), 'form-0 form-1 form-2'],
  ])('are the same to %s', async ([, filter, ids]) => {
    expect(await Promise.all(forms.map((form) => find(filter(form))))).toEqual([ids, ids]);
  });

  test('are the same to the search of tournaments, also where no accents are the reason', async () => {
    const seoul = ['서울 Open'.normalize('NFC'), '서울 Open'.normalize('NFD')];
    for (const [index, title] of seoul.entries()) {
      await app.graphql('mutation ($input: TournamentInput!) { createTournament(input: $input) { id } }', {
        input: { id: `seoul-${index}`, title, startsAt: `2026-02-0${index + 1}T00:00:00Z` },
      });
    }
    const found = [...forms, ...seoul].map((search) => find({ search }));
    const [accents, syllables] = ['form-0 form-1 form-2', 'seoul-0 seoul-1'];
    expect(await Promise.all(found)).toEqual([accents, accents, syllables, syllables]);
  });

  test('are another text than the one without marks, in either form', async () => {
    const asked = ['contains', 'startsWith', 'eq'].map((operator) => find({ title: { [operator]: 'Cafe' } }));
    expect(await Promise.all(asked)).toEqual(['form-2', 'form-2', '']);
  });

  test('are shown as they were sent', async () => {
    const { tournament, other } = await app.graphql(
      '{ tournament(id: "form-0") { title } other: tournament(id: "form-1") { title } }',
    );
    expect([tournament.title, other.title]).toEqual([composed, decomposed]);
  });
});

describe('the lists of /v1', () => {
  const paths = ['/v1/data/tourney_flat_data?search_name=', '/v1/data/news?title=', '/v1/data/sponsors?title='];
  beforeAll(async () => {
    for (const title of forms) {
      await app.rest('POST', '/v1/tournaments/tourney_flat_data', app.platform, { payload: { Title: `${title} of lists` } });
      await app.rest('POST', '/v1/admin/news', app.platform, { payload: { title: `${title} of lists` } });
      await app.rest('POST', '/v1/admin/sponsors', app.platform, { payload: { title: `${title} of lists` } });
      await app.rest('POST', '/v1/admin/news_outlet', app.platform, { title: `${title} of lists` });
    }
  });

  test.for([...paths, '/v1/data/news_outlet?search='])('%s finds titles of both forms', async (path) => {
    const totals = forms.map(async (form) => {
      const { body } = await app.rest('GET', path + encodeURIComponent(`${form} OF`), app.platform);
      return body.totalRecords ?? body.total_records;
    });
    expect(await Promise.all(totals)).toEqual(['2', '2']);
  });
});

describe('a key in another form leads to the same record:', () => {
  const upsert = async (path: string, title: string) =>
    (await app.rest('POST', path, app.platform, { payload: { title } })).body.result;

  test.for(['/v1/clubs_flat_data_search/upsert', '/v1/leagues_flat_data_search/upsert'])('the title at %s', async (path) => {
    const [one, other] = [await upsert(path, composed), await upsert(path, decomposed)];
    expect([one.slug, other.uuid, other.title]).toEqual(['cafe-elan', one.uuid, decomposed]);
  });

  test('the title that a league and its listing share', async () => {
    const [one, other] = ['Liga São'.normalize('NFC'), 'Liga São'.normalize('NFD')];
    const { createLeague } = await app.graphql(
      `mutation ($league: String!, $listing: String!) {
        upsertLeagueListing(input: { title: $listing }) { id }
        createLeague(input: { id: "sao", title: $league }) { slug listing { title } }
      }`,
      { league: one, listing: other },
    );
    expect(createLeague).toEqual({ slug: 'liga-sao', listing: { title: other } });
  });

  test('the slug of news', async () => {
    const slugs = [];
    for (const slug of forms)
      slugs.push((await app.rest('POST', '/v1/admin/news', app.platform, { payload: { slug } })).body.result.slug);
    const found = forms.map(async (slug) => {
      const { body } = await app.rest('GET', `/v1/data/news/${encodeURIComponent(slug)}`, app.platform);
      return body.result.slug;
    });
    const filtered = forms.map(async (eq) => {
      const { news } = await app.graphql('query ($eq: String) { news(filter: { slug: { eq: $eq } }) { totalCount } }', { eq });
      return news.totalCount;
    });
    expect([slugs, await Promise.all(found), await Promise.all(filtered)]).toEqual([
      [composed, `${composed}-2`],
      [composed, composed],
      [1, 1],
    ]);
  });

  test('a discount code', async () => {
    await app.graphql('mutation ($code: String) { createDiscountCode(input: { id: "cafe", code: $code }) { id } }', {
      code: decomposed,
    });
    const { discountCodes } = await app.graphql(
      'query ($code: String) { discountCodes(filter: { code: { eq: $code } }) { nodes { id code } } }',
      { code: composed },
    );
    expect(discountCodes.nodes).toEqual([{ id: 'cafe', code: decomposed }]);
  });

  test('the address of a user', async () => {
    const { id } = await app.person({ email: 'é@example.com'.normalize('NFC') });
    const { userByEmail } = await app.graphql('query ($email: String!) { userByEmail(email: $email) { id } }', {
      email: 'É@example.com'.normalize('NFD'),
    });
    expect(userByEmail).toEqual({ id });
  });
});

test('an id of elsewhere counts letter by letter', async () => {
  const find = async (eq: string) =>
    (await app.graphql('query ($eq: String) { prematches(filter: { matchId: { eq: $eq } }) { totalCount } }', { eq })).prematches
      .totalCount;
  await app.graphql('mutation ($matchId: String) { createPrematch(input: { matchId: $matchId }) { id } }', {
    matchId: decomposed,
  });
  expect([await find(decomposed), await find(composed)]).toEqual([1, 0]);
});
