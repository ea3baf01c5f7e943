import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runService, type Service, scratchDirectory, startService } from '../support/servers/service-process.js';
import { emptyDatabase } from '../support/servers/test-database.js';

// The first test builds the service, and each test starts separate processes.
vi.setConfig({ testTimeout: 60_000 });

const statusOf = async ({ origin }: Service): Promise<number> => (await fetch(`${origin}/graphql?query={__typename}`)).status;

const linesOf = ({ output }: Service): string[] => output().trim().split('\n');

const pidFile = (directory: string) => join(directory, 'postgres', 'postmaster.pid');
const postmaster = async (directory: string): Promise<number> =>
  Number((await readFile(pidFile(directory), 'utf8')).split('\n')[0]);

/** Sends the first part of a request. The returned function sends the rest and returns the status line. */
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
        'Expect: 100-continue',
        '',
        body.slice(0, 5),
      ].join('\r\n'),
    );
  // The server responds with `100 Continue` when it has received the headers.
  await once(socket, 'data');
  return async () => {
    socket.write(body.slice(5));
    const [answer] = await once(socket, 'data');
    return String(answer).split('\r\n')[0];
  };
}

test('invalid variables are reported together before anything starts', async () => {
  const service = await runService({ PORT: '0', DATABASE_URL: 'mysql://localhost', LOG_LEVEL: 'loud' });
  expect({ exitCode: await service.exit, lines: linesOf(service) }).toEqual({
    exitCode: 1,
    lines: [
      'DATABASE_URL must be a URL such as postgresql://user:password@host:5432/database.',
      'LOG_LEVEL must be one of: silent, fatal, error, warn, info, debug, trace.',
    ],
  });
});

describe('a service with an embedded database', () => {
  let directory: string;
  let service: Service;
  beforeAll(async () => {
    directory = await scratchDirectory();
    service = await startService({ DATA_DIR: directory });
  });
  afterAll(async () => {
    service.signal('SIGKILL');
    await service.exit;
  });

  test('serves requests and prints its addresses', async () => {
    expect(await statusOf(service)).toBe(200);
    expect(linesOf(service).map((line) => line.trim())).toEqual([
      `Courtside is up at ${service.origin}`,
      `GraphiQL     ${service.origin}/graphql`,
      `reference    ${service.origin}/reference/graph`,
      `legacy API   ${service.origin}/v1`,
      `reference    ${service.origin}/reference`,
      '',
      'Press Ctrl-C to stop.',
    ]);
  });

  test('a second service on the same port or data directory exits with instructions', async () => {
    const { port } = new URL(service.origin);
    const [samePort, sameData] = await Promise.all([runService({ PORT: port }), runService({ DATA_DIR: directory })]);
    const resultOf = async (second: Service) => ({ exitCode: await second.exit, lines: linesOf(second) });
    expect({ samePort: await resultOf(samePort), sameData: await resultOf(sameData) }).toEqual({
      samePort: {
        exitCode: 1,
        lines: [`Port ${port} is in use: stop the program that uses it, or set PORT to another port.`],
      },
      sameData: {
        exitCode: 1,
        lines: [
          `Another Courtside process is using ${directory}: stop it, set DATA_DIR to another directory, or set DATABASE_URL to a database that both can share.`,
        ],
      },
    });
  });

  test('responds with 503 while its database is down, and recovers without a restart', async () => {
    const statuses = new Set<number>();
    const requestStatus = async () => {
      // The token forces a database lookup.
      const { status } = await fetch(`${service.origin}/graphql?query={__typename}`, { headers: { 'PB-API-TOKEN': 'unknown' } });
      statuses.add(status);
      return status;
    };
    const killed = await postmaster(directory);
    process.kill(killed, 'SIGKILL');
    await expect.poll(requestStatus).toBe(503);
    // Some connections to the killed server may still work after others have failed.
    await expect.poll(() => postmaster(directory)).not.toBe(killed);
    await expect.poll(requestStatus).toBe(200);
    expect([...statuses].sort()).toEqual([200, 503]);
  });

  test('kill -9 stops its database too, and a new start finds the same data', async () => {
    service.signal('SIGKILL');
    await expect.poll(() => existsSync(pidFile(directory))).toBe(false);
    service = await startService({ DATA_DIR: directory });
    expect(await statusOf(service)).toBe(200);
  });

  test('finishes the request in flight on Ctrl-C, which npm sends twice, and stops its database', async () => {
    const finish = await requestInFlight(service);
    service.signal('SIGINT');
    await sleep(100);
    service.signal('SIGINT');
    await sleep(300);
    const statusLine = await finish();
    // A keep-alive connection must not delay the exit.
    const exitCode = await Promise.race([service.exit, sleep(3000)]);
    expect({ statusLine, exitCode, isDatabaseRunning: existsSync(pidFile(directory)) }).toEqual({
      statusLine: 'HTTP/1.1 200 OK',
      exitCode: 0,
      isDatabaseRunning: false,
    });
  });
});

test('two services that start at the same time on one empty database both serve requests, and exit on SIGTERM', async () => {
  const { url, drop } = await emptyDatabase();
  const services = await Promise.all([startService({ DATABASE_URL: url }), startService({ DATABASE_URL: url })]);
  const statuses = await Promise.all(services.map(statusOf));
  for (const service of services) service.signal('SIGTERM');
  const exitCodes = await Promise.all(services.map(({ exit }) => exit));
  await drop();
  expect({ statuses, exitCodes }).toEqual({ statuses: [200, 200], exitCodes: [0, 0] });
});
