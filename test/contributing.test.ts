import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { legacyRoutes } from '../compat/index.js';
import { operationName } from '../compat/reference/names.js';
import { modules } from '../src/modules/index.js';

const page = readFileSync('CONTRIBUTING.md', 'utf8');
const { version, license, scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Files that readers of the documentation create when they follow its steps. */
const createdByReader =
  /^src\/modules\/leagues\/(?:court|live)\.ts$|^migrations\/\d+-leagues\.ts$|^test\/compat\/golden\/GET_v1_data_clubs/;

test('all files named in CONTRIBUTING.md exist, except those that readers create', () => {
  const paths = [...page.matchAll(/(?:src|compat|test|migrations|schema)\/[\w./{}-]*[\w}/]/g)].map(([path]) => path);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !createdByReader.test(path) && !existsSync(path))).toEqual([]);
});

test('the examples of CONTRIBUTING.md can be followed: neither their route nor their record exists yet', () => {
  expect(Object.keys(Object.assign({}, ...legacyRoutes))).not.toContain('GET /v1/data/clubs/{uuid}');
  expect(operationName('GET', '/v1/data/clubs/{uuid}')).toBe('getDataClubsUuid');
  expect(modules.flatMap(({ records }) => records.map(({ name }) => name))).not.toContain('Court');
});

test.each(['CONTRIBUTING.md', 'CHANGELOG.md', 'docs/sdk.md'])('all scripts named in %s exist', (file) => {
  const names = [...readFileSync(file, 'utf8').matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});

test('the changelog has an entry for the current version', () => {
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`## [${version}] - `);
});

test('LICENSE is the license that package.json declares', () => {
  expect(readFileSync('LICENSE', 'utf8')).toMatch(new RegExp(`^${license} License\n\nCopyright .* The Courtside authors`));
});
