import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { legacyRoutes } from '../compat/index.js';
import { operationName } from '../compat/reference/names.js';
import { modules } from '../src/modules/index.js';

const page = readFileSync('CONTRIBUTING.md', 'utf8');
const { version, license, scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/** What the steps make, which is not there before. */
const made = /^src\/modules\/leagues\/(?:court|live)\.ts$|^migrations\/\d+-leagues\.ts$|^test\/compat\/golden\/GET_v1_data_clubs/;

test('the files that CONTRIBUTING.md names are there', () => {
  const named = [...page.matchAll(/(?:src|compat|test|migrations|schema)\/[\w./{}-]*[\w}/]/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !made.test(path) && !existsSync(path))).toEqual([]);
});

test('what its steps add is not there yet, so that they can be followed', () => {
  expect(Object.keys(Object.assign({}, ...legacyRoutes))).not.toContain('GET /v1/data/clubs/{uuid}');
  expect(operationName('GET', '/v1/data/clubs/{uuid}')).toBe('getDataClubsUuid');
  expect(modules.flatMap(({ records }) => records.map(({ name }) => name))).not.toContain('Court');
});

test.each(['CONTRIBUTING.md', 'CHANGELOG.md', 'docs/sdk.md'])('%s names no script that is not there', (file) => {
  const named = [...readFileSync(file, 'utf8').matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('the changelog has the version, and the license is the one that is declared', () => {
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`## [${version}] - `);
  expect(readFileSync('LICENSE', 'utf8')).toMatch(new RegExp(`^${license} License\n\nCopyright .* The Courtside authors`));
});
