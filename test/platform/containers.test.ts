import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, variables } from '../../src/config.js';
import { forgiving } from '../../src/database/orm.js';
import { settingsOf } from '../../src/database/timeouts.js';

const textOf = (file: string) => readFileSync(file, 'utf8');
const lines = (file: string) =>
  textOf(file)
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** The instructions of each stage of the Dockerfile. */
const stages = lines('Dockerfile')
  .map((line) => /^(\w+) (.*)$/.exec(line) ?? expect.fail(`no instruction: ${line}`))
  .reduce<{ instruction: string; rest: string }[][]>((found, [, instruction = '', rest = '']) => {
    if (instruction === 'FROM') found.push([]);
    found.at(-1)?.push({ instruction, rest });
    return found;
  }, []);
const [building = [], running = []] = stages;
const of = (stage: typeof building, name: string) =>
  stage.flatMap(({ instruction, rest }) => (instruction === name ? [rest] : []));

test('the image is built in two stages, of which the second has production dependencies only', () => {
  expect([stages.length, of(building, 'RUN'), of(running, 'RUN').map((run) => run.split(' && ')[0])]).toEqual([
    2,
    ['npm ci', 'npm run build'],
    ['npm ci --omit=dev'],
  ]);
  expect(of(running, 'COPY').at(-1)).toBe('--from=build /app/dist dist');
});

test('what is copied into it is there, and nothing else reaches the builder', () => {
  const copied = [...building, ...running]
    .filter(({ instruction, rest }) => instruction === 'COPY' && !rest.startsWith('--from'))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
  const allowed = lines('.dockerignore');
  expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  expect(allowed.toSorted()).toEqual(['*', ...new Set(copied.map((path) => `!${path}`))].toSorted());
});

test('it does not run as root, and Node itself gets its signals', () => {
  expect([of(running, 'USER'), JSON.parse(of(running, 'CMD')[0] ?? '')]).toEqual([
    ['node'],
    ['node', '--enable-source-maps', 'dist/src/main.js'],
  ]);
});

const imports = /^(?:import|export)( type)? (?:[\w*{}\s,$]+ from )?'([^']+)'|\bimport\('([^']+)'\)/gm;

test('what the service imports is among its production dependencies', () => {
  const { dependencies } = JSON.parse(textOf('package.json'));
  const seen = new Set<string>();
  const packages = new Set<string>();
  const walk = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, isType, from, later] of textOf(file).matchAll(imports)) {
      const name = from ?? later ?? '';
      if (name.startsWith('.') && name.endsWith('.js')) walk(normalize(join(dirname(file), name.replace(/\.js$/, '.ts'))));
      else if (!isType && !/^(?:\.|node:)/.test(name)) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    }
  };
  walk('src/main.ts');
  expect(seen.size).toBeGreaterThan(300);
  expect([...packages].filter((name) => !(name in dependencies))).toEqual([]);
});

interface Service {
  build?: unknown;
  environment: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, unknown>;
}

/** Compose puts in what its own environment says, or what stands behind `:-`. */
const filled = (text: string): string =>
  text.replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, name, fallback) =>
    name === 'POSTGRES_PASSWORD' ? 'secret' : (fallback ?? ''),
  );
const file: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(textOf('compose.yaml'), {
  merge: true,
});
const compose: typeof file = JSON.parse(JSON.stringify(file, (_, value) => (typeof value === 'string' ? filled(value) : value)));
const { one, two, pgbouncer, haproxy, postgres } = compose.services;

test('compose.yaml has PostgreSQL, PgBouncer, two services that are alike, and HAProxy', () => {
  expect([Object.keys(compose.services), one]).toEqual([['postgres', 'pgbouncer', 'one', 'two', 'haproxy'], two]);
  const needed = Object.values(compose.services).flatMap(({ depends_on = {} }) => Object.keys(depends_on));
  expect(needed.filter((name) => !(name in compose.services))).toEqual([]);
});

test('the services are given variables that there are, with values that they take', () => {
  const names = new Set(variables.map(({ name }) => name));
  expect(Object.keys(one?.environment ?? {}).filter((name) => !names.has(name))).toEqual([]);
  expect(loadConfig(one?.environment)).toMatchObject({
    databaseUrl: 'postgresql://courtside:secret@pgbouncer:6432/courtside',
    databasePrepared: false,
    trustProxy: 1,
    drainDelay: 5,
  });
});

test('the files that are mounted are there, and their addresses are those of compose.yaml', () => {
  const mounted = Object.values(compose.services)
    .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
    .filter((source) => !(source in compose.volumes));
  expect(mounted.filter((path) => !statSync(path).isFile())).toEqual([]);
  const ini = textOf('docs/deploy/pgbouncer.ini');
  const used = [...textOf('docs/deploy/haproxy.cfg').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
  expect([
    Object.keys(haproxy?.environment ?? {}),
    Object.keys(postgres?.environment ?? {}),
    Object.keys(pgbouncer?.environment ?? {}),
  ]).toEqual([used, ['POSTGRES_USER', 'POSTGRES_PASSWORD'], ['POSTGRES_PASSWORD']]);
  expect([/^listen_port = 6432$/m.test(ini), /^courtside = host=postgres port=5432 dbname=courtside /m.test(ini)]).toEqual([
    true,
    true,
  ]);
});

test('connections of PgBouncer begin with the settings that the service makes on its own', () => {
  const settings = `${forgiving}; ${settingsOf(loadConfig({}).timeouts)}`;
  expect(textOf('docs/deploy/pgbouncer.ini')).toContain(`connect_query='${settings.replaceAll("'", "''")}'`);
});
