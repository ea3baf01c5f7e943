import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disposableSettings, type EmbeddedServer, startEmbedded } from '../../../src/database/embedded.js';
import { contentOf } from '../../support/checks/database-content.js';
import { demoResponses, eventsAfterRestore, type Follower, followChanges } from '../../support/checks/restored-service.js';
import type { TestApp } from '../../support/servers/app.js';
import { runCommand } from '../../support/servers/command-process.js';
import { ownedDatabase } from '../../support/servers/owned-database.js';
import { startDemo } from '../../support/servers/season.js';
import { secondProcess } from '../../support/servers/second-app.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import type { Database } from '../../support/servers/test-database.js';

const webhooks = { WEBHOOK_NETWORKS: '127.0.0.1' };

let original: TestApp;
let follower: Follower;
let target: Database;
let directory: string;
beforeAll(async () => {
  original = await startDemo(webhooks);
  follower = await followChanges(original);
  target = await ownedDatabase();
  directory = join(await scratchDirectory(), 'export');
}, 120_000);
afterAll(async () => {
  await follower?.close();
  await original?.close();
  await target?.drop();
});

test('a season that is exported and imported has the same responses, and its subscribers and webhooks query the data again', async () => {
  const exported = await runCommand('export', [directory], { DATABASE_URL: original.databaseUrl });
  const result = await runCommand('import', [directory, '--database-url', target.url]);
  expect({ exported: exported.output, imported: result.output }).toEqual({
    exported: expect.stringMatching(/Exported \d{6} rows to \S+ in \d+\.\d s\. Protect the directory: it contains secrets\.\n$/),
    imported: expect.stringMatching(/ 8000 {2}team\n(?:.*\n)*Imported \d{6} rows from \S+ in \d+\.\d s\.\n$/),
  });
  const imported = await secondProcess({ databaseUrl: target.url }, undefined, undefined, webhooks);
  expect(await demoResponses(imported)).toEqual(await demoResponses(original));
  expect(await follower.eventsFrom(imported)).toEqual(eventsAfterRestore);
  await imported.close();
}, 120_000);

test('a database that is exported from a server and imported into an embedded one has the same rows', async () => {
  const [dataDir, back] = [await scratchDirectory(), join(await scratchDirectory(), 'export')];
  await runCommand('export', [back], { DATABASE_URL: target.url });
  const content = await contentOf(target.url);
  const { code, output } = await runCommand('import', [back], { DATA_DIR: dataDir });
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Imported ') });
  const embedded: EmbeddedServer = await startEmbedded(dataDir, { settings: disposableSettings });
  try {
    expect(await contentOf(embedded.url)).toEqual(content);
  } finally {
    await embedded.stop();
  }
}, 120_000);

test('the commands explain missing arguments and databases', async () => {
  const missingData = join(await scratchDirectory(), 'none');
  const [withoutDirectory, withoutDatabase] = await Promise.all([
    runCommand('import', []),
    runCommand('export', [missingData], { DATA_DIR: missingData }),
  ]);
  expect({ withoutDirectory, withoutDatabase }).toEqual({
    withoutDirectory: {
      code: 2,
      output: expect.stringMatching(/^Expected one directory, but got 0\.\n\nUsage: courtside import/),
    },
    withoutDatabase: {
      code: 1,
      output: `There is no database in ${missingData}: set DATA_DIR or DATABASE_URL to the database to export.\n`,
    },
  });
});
