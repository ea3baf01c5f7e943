import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entriesOf, type RouteEntry } from '../../../compat/engine/index.js';
import { legacyRoutes } from '../../../compat/index.js';
import { expectGolden, type GoldenHost, goldenName, goldenNames, readGolden } from '../../support/checks/golden.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { startFederationInProcess } from '../../support/servers/federation.js';

const directory = join(import.meta.dirname, '../../compat/golden');
const entries = new Map(entriesOf(legacyRoutes).map((entry) => [goldenName(entry.method, entry.path), entry]));
const entryOf = (name: string): RouteEntry =>
  entries.get(name) ?? entries.get(name.slice(0, name.lastIndexOf('.'))) ?? expect.fail(`no operation for ${name}`);

/** Returns the shape of a reply: its status and envelope, without the record. */
function shapeOf(name: string): string {
  const status = readGolden(directory, name).response?.status ?? 0;
  const { reply } = entryOf(name).alternatives[0] ?? expect.fail(`no route for ${name}`);
  if (status >= 400) return `${status}`;
  if (reply.list) return `${status} list, total in ${reply.list.total}`;
  if (reply.isCustom) return `${status} custom`;
  if (reply.schema === null) return `${status} without a body`;
  if (reply.schema.$ref !== undefined) return `${status} record`;
  return `${status} {${Object.keys(reply.schema.properties ?? {})}}`;
}

const sharable = goldenNames(directory).filter((name) => !readGolden(directory, name).alone);
const samples = [...Map.groupBy(sharable, shapeOf)].map(([shape, [name = '']]) => ({ shape, name }));

let app: TestApp;
let host: GoldenHost;
let stop: () => Promise<void>;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'all' });
  const federation = await startFederationInProcess(app);
  stop = federation.stop;
  const [user, admin] = [await app.person(), await app.person({ isSuperAdmin: true })];
  host = {
    url: federation.legacyOrigin,
    tokens: { ...app.platform, user: user.user, admin: admin.user },
    ids: { user: user.id, admin: admin.id },
  };
}, 120_000);
afterAll(async () => {
  await stop();
  await app.close();
});

test('the samples cover every kind of reply', () => {
  expect(samples.map(({ shape }) => shape).toSorted()).toMatchInlineSnapshot(`
    [
      "200 custom",
      "200 list, total in null",
      "200 list, total in totalRecords",
      "200 list, total in total_records",
      "200 record",
      "200 {payload}",
      "200 {response}",
      "200 {result}",
      "200 {}",
      "201 {result}",
      "204 custom",
      "204 without a body",
      "304 custom",
      "400",
      "401",
      "403",
      "404",
      "409",
      "412",
    ]
  `);
});

test.for(samples)('$shape is the same over a gateway: $name', async ({ name }) => {
  await expectGolden(directory, name, host);
});
