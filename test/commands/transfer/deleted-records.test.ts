import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { exportDatabase } from '../../../src/transfer/export-database.js';
import { importRecords } from '../../../src/transfer/records/import-records.js';
import { upsertRecord } from '../../exports/seed.js';
import { newKey } from '../../support/fixtures/publishable-keys.js';
import { directoryWith } from '../../support/fixtures/record-files.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { scratchDirectory } from '../../support/servers/service-process.js';

async function start(): Promise<TestApp> {
  const app = await startApp();
  onTestFinished(() => app.close());
  return app;
}

test('players of deleted tournaments stay hidden after an export and import of records', async () => {
  const [source, target] = [await start(), await start()];
  for (const [id, hidesPlayers] of [
    ['hidden', true],
    ['shown', false],
    ['restored', true],
  ] as const) {
    await upsertRecord(source, 'Tournament', { id, title: id, hidesPlayers });
    await upsertRecord(source, 'TournamentEvent', { id: `${id}-event`, tournamentId: id });
    await upsertRecord(source, 'Team', { id: `${id}-team`, tournamentId: id });
    await upsertRecord(source, 'Team', { id: `${id}-team-of-event`, eventId: `${id}-event` });
  }
  await source.sql.rows('delete from tournament_event');
  await source.sql.rows('delete from tournament');
  // A tournament that exists in the other database is not marked as deleted.
  await upsertRecord(target, 'Tournament', { id: 'restored', title: 'Restored' });
  const visitor = { platform: (await newKey(target)).key };
  const directory = await scratchDirectory();
  await exportDatabase(source.databaseUrl, directory, { records: { since: null } });
  await importRecords(target.databaseUrl, directory, { acceptsMissingReferences: true });
  const { teams } = await target.graphql(
    '{ teams(first: 10, orderBy: { field: ID, direction: ASC }) { nodes { id } } }',
    {},
    visitor,
  );
  expect(teams).toEqual({
    nodes: ['restored-team', 'restored-team-of-event', 'shown-team', 'shown-team-of-event'].map((id) => ({ id })),
  });
});

test('an import rejects a file of deleted records with an invalid line', async () => {
  const directory = await directoryWith({ 'club.ndjson': [{ id: 'c1' }] });
  await writeFile(join(directory, 'deleted_event.ndjson'), '{"id": "e1"}\n');
  await expect(importRecords('postgresql://127.0.0.1:9/none', directory)).rejects.toThrow(
    `${join(directory, 'deleted_event.ndjson')} is invalid at line 1: expected a line that "courtside export" has written.`,
  );
});
