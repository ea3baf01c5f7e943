import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { command } from '../../../src/commands/import.js';
import { directoryWith } from '../../support/fixtures/record-files.js';
import { freshDatabase } from '../../support/servers/test-database.js';

afterEach(() => vi.restoreAllMocks());

test('the last line of an import counts the written rows, and the rows that equal existing rows', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const summaryOf = async (rows: readonly object[], ...options: string[]) => {
    const directory = await directoryWith({ 'club.ndjson': rows });
    await command.run([directory, '--database-url', database.url, ...options]);
    return lines
      .at(-1)
      ?.replace(` from ${directory}`, '')
      .replace(/ in \d+\.\d s/, '');
  };
  const clubs = [{ id: 'c1' }, { id: 'c2' }, { id: 'c3', title: 1 }];
  expect({
    dryRun: await summaryOf(clubs, '--dry-run'),
    first: await summaryOf(clubs),
    repeated: await summaryOf(clubs),
    partly: await summaryOf([{ id: 'c1' }, { id: 'c2', title: 'New' }]),
  }).toEqual({
    dryRun: 'Checked 3 rows.',
    first: 'Imported 2 rows.',
    repeated: 'Imported 0 rows. Skipped 2 equal rows.',
    partly: 'Imported 1 row. Skipped 1 equal row.',
  });
});
