import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphOfModules } from '../../src/graphql/graph.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { type Caller, type Cast, castOf, tableOf, type Verdict } from './callers.js';
import { callOf, type Field } from './calls.js';

let app: TestApp;
let cast: Cast;
beforeAll(async () => {
  app = await startApp();
  cast = await castOf(app);
});
afterAll(() => app.close());

const mutations: Field[] = Object.values(graphOfModules().getMutationType()?.getFields() ?? {});

async function verdict(field: Field, { tokens }: Caller): Promise<Verdict> {
  const error = await callOf({ app, cast }, field, tokens);
  expect(error).not.toMatch(/^INTERNAL/);
  return error.startsWith('UNAUTHENTICATED') ? '401' : error.startsWith('FORBIDDEN') ? '403' : 'yes';
}

const rows: [string, Verdict[]][] = [];

test.for(mutations.map((field) => [field.name, field] as const))(
  '%s accepts or rejects each kind of caller as expected',
  async ([name, field]) => {
    const verdicts: Verdict[] = [];
    for (const caller of cast.callers) verdicts.push(await verdict(field, caller));
    rows.push([name, verdicts]);
  },
);

test('graph.txt lists the permitted callers of each mutation', async () => {
  expect(rows.length, 'run the whole file').toBe(mutations.length);
  await expect(tableOf(rows, cast.callers)).toMatchFileSnapshot('graph.txt');
});
