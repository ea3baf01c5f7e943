import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { directoryWith } from '../../support/fixtures/record-files.js';
import { runCommand, startCommand } from '../../support/servers/command-process.js';
import { freshDatabase } from '../../support/servers/test-database.js';

const clubCount = 40_000;

test.each([
  ['while it checks the rows', 'select from courtside_import.import'],
  ['while it writes rows', 'select from courtside_import.written'],
])(
  'an import whose connections end %s prints one line, and continues with the same command',
  async (_, progress) => {
    const database = await freshDatabase();
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    onTestFinished(() => admin.end().then(() => database.drop()));
    const directory = await directoryWith({
      'club.ndjson': Array.from({ length: clubCount }, (_, index) => ({ id: `c${index}`, title: `Club ${index}` })),
    });
    const args = [directory, '--database-url', database.url];
    const importing = await startCommand('import', args);
    const hasProgress = () =>
      admin.query(progress).then(
        ({ rowCount }) => rowCount !== 0,
        () => false,
      );
    await expect.poll(hasProgress, { timeout: 60_000, interval: 10 }).toBe(true);
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    const interrupted = { code: await importing.exit, output: importing.output() };
    const continued = await runCommand('import', args);
    const { rows } = await admin.query('select count(*)::int as count from club');
    expect({ interrupted, continued: continued.code, count: rows[0]?.count }).toEqual({
      interrupted: {
        code: 1,
        output: expect.stringMatching(
          /^PostgreSQL at \S+ (?:closed the connection|is starting or shutting down)(?: \(.*\))?: .*\. To continue the import, run the same command again\.\n$/,
        ),
      },
      continued: 0,
      count: clubCount,
    });
  },
  120_000,
);
