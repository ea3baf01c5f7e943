import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { emptyDatabase } from '../support/database.js';
import { runService, type Service, scratchDirectory, startService } from '../support/service.js';

// The first one builds, and each starts whole processes.
vi.setConfig({ testTimeout: 60_000 });

const alive = async ({ origin }: Service): Promise<number> => (await fetch(`${origin}/graphql?query={__typename}`)).status;

const lines = ({ output }: Service): string[] => output().trim().split('\n');

const postmaster = async (directory: string): Promise<number> =>
  Number((await readFile(join(directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);

/** A request whose body is still on its way; the returned function sends the rest and answers the status line. */
async function requestInFlight({ origin }: Service): Promise<() => Promise<string | undefined>> {
  const body = JSON.stringify({ query: '{ __typename }' });
  const socket: Socket = connect(Number(new URL(origin).port), 'localhost');
  socket
    .setEncoding('utf8')
    .write(
      [
        'POST /graphql HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body.slice(0, 5),
      ].join('\r\n'),
    );
  await sleep(100);
  return async () => {
    socket.write(body.slice(5));
    const [answer] = await once(socket, 'data');
    return String(answer).split('\r\n')[0];
  };
}

test('bad variables are told all at once, before anything starts', async () => {
  const service = await runService({ PORT: '0', DATABASE_URL: 'mysql://localhost', LOG_LEVEL: 'loud' });
  expect([await service.ended, lines(service)]).toEqual([
    1,
    [
      'DATABASE_URL must be a URL such as postgresql://user:password@host:5432/database.',
      'LOG_LEVEL must be one of: silent, fatal, error, warn, info, debug, trace.',
    ],
  ]);
});

describe('on its own database', () => {
  let directory: string;
  let service: Service;
  beforeAll(async () => {
    directory = await scratchDirectory();
    service = await startService({ DATA_DIR: directory });
  });
  afterAll(async () => {
    service.signal('SIGKILL');
    await service.ended;
  });

  test('it answers, and tells where', async () => {
    expect([await alive(service), lines(service).map((line) => line.trim())]).toEqual([
      200,
      [
        `Courtside is up at ${service.origin}`,
        `GraphiQL     ${service.origin}/graphql`,
        `legacy API   ${service.origin}/v1`,
        `reference    ${service.origin}/reference`,
        '',
        'Ctrl-C stops it.',
      ],
    ]);
  });

  test('a second one on its port, or on its data, is told what to do', async () => {
    const { port } = new URL(service.origin);
    const [samePort, sameData] = await Promise.all([runService({ PORT: port }), runService({ DATA_DIR: directory })]);
    expect([await samePort.ended, lines(samePort), await sameData.ended, lines(sameData)]).toEqual([
      1,
      [`Port ${port} is taken: stop the program that has it, or set PORT to another one.`],
      1,
      [
        `Another Courtside is using ${directory}: stop it, or set DATA_DIR to another directory, or share one database with DATABASE_URL.`,
      ],
    ]);
  });

  test('it answers 503 while its database is away, and recovers by itself', async () => {
    const statuses = new Set<number>();
    const ask = async () => {
      // A token has to be looked up.
      const { status } = await fetch(`${service.origin}/graphql?query={__typename}`, { headers: { 'PB-API-TOKEN': 'unknown' } });
      statuses.add(status);
      return status;
    };
    const killed = await postmaster(directory);
    process.kill(killed, 'SIGKILL');
    await expect.poll(ask).toBe(503);
    // The last connections to the one that was killed may answer after the first have ended.
    await expect.poll(() => postmaster(directory)).not.toBe(killed);
    await expect.poll(ask).toBe(200);
    expect([...statuses].sort()).toEqual([200, 503]);
  });

  test('kill -9 ends its database too, and it starts again on the same data', async () => {
    service.signal('SIGKILL');
    await expect.poll(() => existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(false);
    service = await startService({ DATA_DIR: directory });
    expect(await alive(service)).toBe(200);
  });

  test('Ctrl-C, which npm doubles, finishes the request in flight and leaves no database behind', async () => {
    const finish = await requestInFlight(service);
    service.signal('SIGINT');
    await sleep(100);
    service.signal('SIGINT');
    await sleep(300);
    const status = await finish();
    // A connection that is kept alive must not hold the end up.
    const code = await Promise.race([service.ended, sleep(3000)]);
    expect([status, code, existsSync(join(directory, 'postgres', 'postmaster.pid'))]).toEqual(['HTTP/1.1 200 OK', 0, false]);
  });
});

test('two that start at once on one empty database both serve, and end on SIGTERM', async () => {
  const { url, drop } = await emptyDatabase();
  const both = await Promise.all([startService({ DATABASE_URL: url }), startService({ DATABASE_URL: url })]);
  const answers = await Promise.all(both.map(alive));
  for (const service of both) service.signal('SIGTERM');
  const codes = await Promise.all(both.map(({ ended }) => ended));
  await drop();
  expect([answers, codes]).toEqual([
    [200, 200],
    [0, 0],
  ]);
});
