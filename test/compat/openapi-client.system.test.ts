import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingTool, toolPath } from '../support/clients/tools.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';

const run = promisify(execFile);

/** A client program that creates a team, reads it, deletes it, and reads it again to get an error. */
const program = `
import createClient from 'openapi-fetch';
import type { components, paths } from './v1.js';

const [, , baseUrl = '', token = ''] = process.argv;
const v1 = createClient<paths>({ baseUrl, headers: { 'PB-API-TOKEN': token } });

const created = await v1.POST('/v1/teams', {
  params: { header: { 'Idempotency-Key': 'a-team-of-mine' } },
  body: { payload: { event_uuid: 'an-event', seed: 2, player_one_uuid: 'somebody' } },
});
const team: components['schemas']['TeamRecord'] | undefined = created.data?.payload;
const uuid = team?.uuid ?? '';
const seed: number | undefined = team?.seed;
const read = await v1.GET('/v1/data/teams/{uuid}', { params: { path: { uuid } } });
const list = await v1.GET('/v1/data/teams', { params: { query: { event_uuid: 'an-event', page_size: 1 } } });
const total: string | undefined = list.data?.total_records;
const news = await v1.GET('/v1/data/news', { params: { query: { news_uuids: ['one', 'two'] } } });
const deleted = await v1.DELETE('/v1/teams/{uuid}', { params: { path: { uuid } } });
const readAfterDelete = await v1.GET('/v1/data/teams/{uuid}', { params: { path: { uuid } } });
const error: components['schemas']['Error'] | undefined = readAfterDelete.error;

// @ts-expect-error: there is no such path
void (() => v1.GET('/v1/data/nothing'));
// @ts-expect-error: a team has no colour
void created.data?.payload.colour;
// @ts-expect-error: the path parameter is required
void (() => v1.GET('/v1/data/teams/{uuid}', {}));
// @ts-expect-error: a seed is not a boolean
void (() => v1.POST('/v1/teams', { body: { payload: { seed: true } } }));

console.log(
  JSON.stringify({
    createStatus: created.response.status,
    seed,
    hasSameUuid: read.data?.result.uuid === uuid && uuid !== '',
    total,
    newsCount: news.data?.results.length,
    deleteStatus: deleted.response.status,
    error: error && { code: error.Code, message: error.Message },
  }),
);
`;

const strict = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2024',
    module: 'nodenext',
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  },
  files: ['client.ts'],
};

let app: TestApp;
let directory: string;
beforeAll(async () => {
  app = await startApp();
  directory = mkdtempSync(join(tmpdir(), 'courtside-client-'));
  symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await app.close();
});

const options = { timeout: 120_000, ...requires(missingTool('openapi-typescript')) };

test('a client generated from the OpenAPI document is strictly typed and calls the service', options, async () => {
  const pathTo = (name: string) => join(directory, name);
  const bin = (name: string, path: string) => join(createRequire(import.meta.url).resolve(`${name}/package.json`), '..', path);
  const node = (...args: string[]) => run(process.execPath, args, { cwd: directory });
  writeFileSync(pathTo('package.json'), '{ "type": "module" }');
  writeFileSync(pathTo('tsconfig.json'), JSON.stringify(strict));
  writeFileSync(pathTo('client.ts'), program);

  const generator = toolPath('openapi-typescript', 'bin/cli.js');
  await node(generator, `${app.origin}/openapi.json`, '-o', pathTo('v1.ts'));
  const { stdout: typeErrors } = await node(bin('typescript', 'bin/tsc'), '-p', '.').catch((error: { stdout: string }) => error);
  expect(typeErrors).toBe('');

  const { stdout } = await node('client.ts', app.origin, app.platform.platform);
  expect(JSON.parse(stdout)).toEqual({
    createStatus: 200,
    seed: 2,
    hasSameUuid: true,
    total: '1',
    newsCount: 0,
    deleteStatus: 200,
    error: { code: 404, message: 'there is no such record' },
  });
});
