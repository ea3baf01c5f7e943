import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { command } from '../../../src/commands/import.js';
import { bcryptHash, directoryWith } from '../../support/fixtures/record-files.js';
import { freshDatabase } from '../../support/servers/test-database.js';

afterEach(() => vi.restoreAllMocks());

test('an import prints how many of its users cannot sign in because they have no `verified_at`', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
  const notesAfter = async (rows: readonly object[]) => {
    lines.length = 0;
    await command.run([await directoryWith({ 'app_user.ndjson': rows }), '--database-url', database.url]);
    return lines.filter((line) => line.includes('verified_at'));
  };
  const [ana, ben] = [
    { id: 'ana', email: 'ana@example.com', password_hash: bcryptHash },
    { id: 'ben', email: 'ben@example.com', verified_at: '2019-01-02' },
  ];
  expect({
    first: await notesAfter([ana, ben, { id: 'without-email' }]),
    onlyVerified: await notesAfter([ben]),
    repeated: await notesAfter([ana]),
    corrected: await notesAfter([{ ...ana, verified_at: '2019-01-02' }]),
  }).toEqual({
    first: [
      '1 user in app_user cannot sign in until they reset their password or register again, because verified_at is null. If their email addresses are verified, add verified_at to the file, and import it again.',
    ],
    onlyVerified: [],
    repeated: [expect.stringMatching(/^1 user /)],
    corrected: [],
  });
});
