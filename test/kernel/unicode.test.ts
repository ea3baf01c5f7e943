import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** The same text with `é` as one code point, and as a letter followed by a combining mark. */
const forms = ['Café Élan'.normalize('NFC'), 'Café Élan'.normalize('NFD')] as const;
const [composed, decomposed] = forms;
/** Returns the responses to one query for both forms of the text. */
const forBothForms = async <T>(answerTo: (form: string) => Promise<T>): Promise<{ composed: T; decomposed: T }> => ({
  composed: await answerTo(composed),
  decomposed: await answerTo(decomposed),
});

describe('titles that differ only in their Unicode normalization form', () => {
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
  ])('are equal for the filter %s', async ([, filter, ids]) => {
    expect(await forBothForms((form) => find(filter(form)))).toEqual({ composed: ids, decomposed: ids });
  });

  test('are equal in the tournament search', async () => {
    const ids = 'form-0 form-1 form-2';
    expect(await forBothForms((search) => find({ search }))).toEqual({ composed: ids, decomposed: ids });
  });

  test('are equal in the tournament search, even in scripts without accents', async () => {
    const [syllables = '', letters = ''] = ['서울 Open'.normalize('NFC'), '서울 Open'.normalize('NFD')];
    for (const [index, title] of [syllables, letters].entries()) {
      await app.graphql('mutation ($input: TournamentInput!) { createTournament(input: $input) { id } }', {
        input: { id: `seoul-${index}`, title, startsAt: `2026-02-0${index + 1}T00:00:00Z` },
      });
    }
    expect({ composed: await find({ search: syllables }), decomposed: await find({ search: letters }) }).toEqual({
      composed: 'seoul-0 seoul-1',
      decomposed: 'seoul-0 seoul-1',
    });
  });

  test('differ from the text without accents in either form', async () => {
    const findCafe = (operator: string) => find({ title: { [operator]: 'Cafe' } });
    expect({
      contains: await findCafe('contains'),
      startsWith: await findCafe('startsWith'),
      eq: await findCafe('eq'),
    }).toEqual({ contains: 'form-2', startsWith: 'form-2', eq: '' });
  });

  test('are returned as they were sent', async () => {
    const titleOf = async (id: string) => (await app.graphql(`{ tournament(id: "${id}") { title } }`)).tournament.title;
    expect({ first: await titleOf('form-0'), second: await titleOf('form-1') }).toEqual({ first: composed, second: decomposed });
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
    const totals = await forBothForms(async (form) => {
      const { body } = await app.rest('GET', path + encodeURIComponent(`${form} OF`), app.platform);
      return body.totalRecords ?? body.total_records;
    });
    expect(totals).toEqual({ composed: '2', decomposed: '2' });
  });
});

describe('a key in another normalization form identifies the same record:', () => {
  const upsert = async (path: string, title: string) =>
    (await app.rest('POST', path, app.platform, { payload: { title } })).body.result;

  test.for(['/v1/clubs_flat_data_search/upsert', '/v1/leagues_flat_data_search/upsert'])('the title at %s', async (path) => {
    const created = await upsert(path, composed);
    const updated = await upsert(path, decomposed);
    expect({ slug: created.slug, updatedId: updated.uuid, title: updated.title }).toEqual({
      slug: 'cafe-elan',
      updatedId: created.uuid,
      title: decomposed,
    });
  });

  test('the title shared by a league and its listing', async () => {
    const [leagueTitle, listingTitle] = ['Liga São'.normalize('NFC'), 'Liga São'.normalize('NFD')];
    const { createLeague } = await app.graphql(
      `mutation ($league: String!, $listing: String!) {
        upsertLeagueListing(input: { title: $listing }) { id }
        createLeague(input: { id: "sao", title: $league }) { slug listing { title } }
      }`,
      { league: leagueTitle, listing: listingTitle },
    );
    expect(createLeague).toEqual({ slug: 'liga-sao', listing: { title: listingTitle } });
  });

  test('the slug of news', async () => {
    const create = async (slug: string) =>
      (await app.rest('POST', '/v1/admin/news', app.platform, { payload: { slug } })).body.result.slug;
    const getBySlug = async (slug: string) =>
      (await app.rest('GET', `/v1/data/news/${encodeURIComponent(slug)}`, app.platform)).body.result.slug;
    const countBySlug = async (eq: string) => {
      const { news } = await app.graphql('query ($eq: String) { news(filter: { slug: { eq: $eq } }) { totalCount } }', { eq });
      return news.totalCount;
    };
    expect({
      created: await forBothForms(create),
      read: await forBothForms(getBySlug),
      filtered: await forBothForms(countBySlug),
    }).toEqual({
      created: { composed, decomposed: `${composed}-2` },
      read: { composed, decomposed: composed },
      filtered: { composed: 1, decomposed: 1 },
    });
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

  test('the email address of a user', async () => {
    const { id } = await app.person({ email: 'é@example.com'.normalize('NFC') });
    const { userByEmail } = await app.graphql('query ($email: String!) { userByEmail(email: $email) { id } }', {
      email: 'É@example.com'.normalize('NFD'),
    });
    expect(userByEmail).toEqual({ id });
  });
});

test('an id of another system is compared code point by code point', async () => {
  const count = async (eq: string) =>
    (await app.graphql('query ($eq: String) { prematches(filter: { matchId: { eq: $eq } }) { totalCount } }', { eq })).prematches
      .totalCount;
  await app.graphql('mutation ($matchId: String) { createPrematch(input: { matchId: $matchId }) { id } }', {
    matchId: decomposed,
  });
  expect(await forBothForms(count)).toEqual({ composed: 0, decomposed: 1 });
});
