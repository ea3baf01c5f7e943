import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRecords, legacyRoutes } from '../../compat/index.js';
import { openApiDocument } from '../../compat/reference/index.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { referenceOf } from '../../src/pages/reference.js';
import { expectGolden, type GoldenHost, goldenName, goldenNames, readGolden } from '../support/checks/golden.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { responseChecker } from './matrix.js';
import { exchangeChecker } from './openapi-checker.js';

const directory = join(import.meta.dirname, 'golden');
const names = goldenNames(directory);
const operations = new Map(entriesOf(legacyRoutes).map(({ method, path }) => [goldenName(method, path), { method, path }]));
const operationOf = (name: string) => operations.get(name) ?? operations.get(name.slice(0, name.lastIndexOf('.')));

const check = responseChecker(graphOfModules(), legacyRoutes, legacyRecords);
const checkDocument = exchangeChecker(openApiDocument(referenceOf(graphOfModules()), { origin: 'http://localhost' }));

const startHost = async (): Promise<{ app: TestApp; host: GoldenHost }> => {
  const app = await startApp();
  const [user, admin] = [await app.person(), await app.person({ isSuperAdmin: true })];
  const tokens = { ...app.platform, user: user.user, admin: admin.user };
  return { app, host: { url: app.origin, tokens, ids: { user: user.id, admin: admin.id } } };
};

let shared: Awaited<ReturnType<typeof startHost>>;
beforeAll(async () => {
  shared = await startHost();
});
afterAll(() => shared.app.close());

async function isolatedHost(): Promise<GoldenHost> {
  const { app, host } = await startHost();
  onTestFinished(() => app.close());
  return host;
}

test.for(names)('%s', async (name) => {
  const operation = operationOf(name) ?? expect.fail('no operation has this name');
  const host = readGolden(directory, name).alone ? await isolatedHost() : shared.host;
  await expectGolden(directory, name, host, ({ status, body, request }) => {
    if (status < 400) expect(check(operation.method, operation.path, status, body)).toBe(null);
    expect(checkDocument({ operation, request, status, body })).toBe(null);
  });
});

test('every operation has a golden file', () => {
  const covered = new Set(names.map(operationOf));
  expect([...operations].filter(([, operation]) => !covered.has(operation)).map(([name]) => name)).toEqual([]);
});
