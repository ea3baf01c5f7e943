import { gzipSync } from 'node:zlib';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphOfModules } from '../../src/graphql/graph.js';
import { permittedCallers, policiesOf } from '../../src/kernel/declare/policy/policy.js';
import { html } from '../../src/messaging/html.js';
import { openedExample } from '../../src/server/graphiql-tabs.js';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const schema = graphOfModules();
const rootFields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}).map((field) => ({ coordinate: `${root?.name}.${field.name}`, field })),
);

const pages = new Map<string, string>();

/** Returns a page of the GraphQL reference. Requests each page only once. */
async function get(path: string): Promise<string> {
  const page = pages.get(path) ?? (await (await fetch(`${app.origin}/reference/graph${path}`)).text());
  pages.set(path, page);
  return page;
}

test('the index lists every root field by module, in less than 60 kB', async () => {
  const page = await get('');
  expect(rootFields.filter(({ coordinate }) => !page.includes(`id="${coordinate}"`))).toEqual([]);
  expect(page).toContain('<h2 id="module-tournaments">');
  expect(gzipSync(page).length).toBeLessThan(60_000);
});

test('the page of each root field has its arguments, its callers and a link to GraphiQL', { timeout: 60_000 }, async () => {
  const missing: string[] = [];
  for (const { coordinate, field } of rootFields) {
    const page = await get(`/${coordinate}`);
    const policies = policiesOf(field.extensions);
    const texts = [...field.args.map(({ name }) => name), `/graphql?field=${coordinate}`];
    const callers = policies ? html`${permittedCallers(policies).split('`')[0]?.slice(1) ?? ''}`.markup : '';
    missing.push(...[...texts, callers].filter((text) => !page.includes(text)).map((text) => `${coordinate}: ${text}`));
  }
  expect(missing).toEqual([]);
});

test('the example of each root field is valid', () => {
  const errors = rootFields.flatMap(({ coordinate }) => {
    const example = openedExample(schema, { field: coordinate });
    return validate(schema, parse(example?.query ?? '{ missing }')).map(({ message }) => `${coordinate}: ${message}`);
  });
  expect(errors).toEqual([]);
});

test('each type has a page of less than 400 kB', { timeout: 60_000 }, async () => {
  const invalid: string[] = [];
  for (const name of Object.keys(schema.getTypeMap()).filter(
    (each) => !each.startsWith('__') && !/^(?:Query|Mutation|Subscription)$/.test(each),
  )) {
    const page = await get(`/${name}`);
    if (!page.includes(`<h1>${name}</h1>`) || page.length > 400_000) invalid.push(name);
  }
  expect(invalid).toEqual([]);
});

test('the reference describes each field, argument, filter and enum value', { timeout: 60_000 }, async () => {
  const missing: string[] = [];
  for (const name of Object.keys(schema.getTypeMap()).filter((each) => !each.startsWith('__'))) {
    const page = await get(`/${name}`);
    for (const [, member] of page.matchAll(
      /<code>(\w+)<\/code>(?:<\/th><td class="type">(?:(?!<\/td>).)*<\/td><td class="meaning">(?:<br>|<\/td>)| <\/li>)/g,
    ))
      missing.push(`${name}.${member}`);
  }
  for (const { coordinate } of rootFields)
    if (/<td class="meaning"><\/td>/.test(await get(`/${coordinate}`))) missing.push(coordinate);
  expect(missing).toEqual([]);
});

test('the page of a type shows the argument types of its fields, with links', async () => {
  const page = await get('/Tournament');
  const [row] = /<tr id="Tournament\.teams">.*?<\/tr>/.exec(page) ?? [''];
  expect(row.replaceAll(/<[^>]+>/g, '')).toContain('Arguments: first: Int, after: String,');
  expect(row).toContain('<code>filter: <a href="/reference/graph/TeamFilter">TeamFilter</a></code>');
});

test('the path of a type’s field redirects to its row on the page of the type', async () => {
  const locationOf = async (coordinate: string) => {
    const response = await fetch(`${app.origin}/reference/graph/${coordinate}`, { redirect: 'manual' });
    return [response.status, response.headers.get('location')];
  };
  expect({
    field: await locationOf('Tournament.teams'),
    value: await locationOf('TournamentPhase.PLAYING'),
    unknown: await locationOf('Tournament.nothing'),
  }).toEqual({
    field: [302, '/reference/graph/Tournament#Tournament.teams'],
    value: [302, '/reference/graph/TournamentPhase#TournamentPhase.PLAYING'],
    unknown: [404, null],
  });
});

test('the search finds fields of filters and inputs under the root fields that take them', async () => {
  const { terms, operations } = JSON.parse(await get('/search.json'));
  const namesOf = (coordinate: string) => operations[coordinate].map((index: number) => terms[index][1]);
  expect({
    query: namesOf('Query.tournaments'),
    mutation: namesOf('Mutation.updateTournament'),
    repeated: terms.length - new Set(terms.map((term: string[]) => term.join(' '))).size,
  }).toEqual({
    query: expect.arrayContaining(['TournamentFilter.locationCity']),
    mutation: expect.arrayContaining(['TournamentInput.title']),
    repeated: 0,
  });
});

test('the search index finds fields and arguments by their coordinate', async () => {
  const { terms } = JSON.parse(await get('/search.json'));
  const names = terms.map(([, name]: string[]) => name);
  expect(names).toEqual(expect.arrayContaining(['Tournament.distance', 'Query.tournaments.filter']));
});
