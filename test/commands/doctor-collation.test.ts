import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { examineInstallation } from '../support/checks/doctor.js';
import { emptyDatabase } from '../support/servers/test-database.js';

/** Returns the options of "create database" in a file, without the owner. */
const optionsIn = (path: string): string | undefined =>
  /create database courtside owner \w+\s+(template [^;"]*)/.exec(readFileSync(path, 'utf8'))?.[1];

async function examineDatabase(options: string) {
  const database = await emptyDatabase(options);
  const { code, lines, linesOf } = await examineInstallation('', { DATABASE_URL: database.url });
  await database.drop();
  return { code, lastLine: lines.at(-1), collation: linesOf('Collation') };
}

test.each(['docs/deploy/roles.sql', 'docs/backups.md'])('%s creates a database that sorts by code point', async (path) => {
  const options = optionsIn(path);
  expect(await examineDatabase(options ?? '')).toEqual({
    code: 0,
    lastLine: 'No problems found.',
    collation: ['✓ Collation   sorts by code point'],
  });
  expect(options).toContain('locale_provider libc');
});

test('the doctor warns about a database with a linguistic collation, and exits with 0', async () => {
  const options = "template template0 encoding 'UTF8' locale_provider icu icu_locale 'en-US' locale 'C.UTF-8'";
  expect(await examineDatabase(options)).toEqual({
    code: 0,
    lastLine: 'No problems found. 1 warning.',
    collation: [
      '! Collation   the collation of the database does not sort by code point, so lists sort IDs and codes differently from other databases. Fix: create a database with the collation C, as in docs/deploy/roles.sql, and move the data to it (docs/backups.md).',
    ],
  });
});
