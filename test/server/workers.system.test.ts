import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { portOf } from '../../src/process/port.js';
import { missingPrograms, requires } from '../support/prerequisites.js';
import { runService, type Service, scratchDirectory, startService } from '../support/servers/service-process.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

// Each test starts separate processes, and some tests restart them.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const platform = 'the-token-of-a-platform';
const admin = { email: 'admin@example.com', password: 'a long enough password' };

interface Answer {
  status: number;
  text: string;
  /** Number of the worker that responded, 1 or 2. The workers use different ranges of request IDs. */
  worker: number;
}

/**
 * Sends a request over a new connection. With `rest`, sends the body only when `rest` resolves, and calls `onStart` when a worker has
 * received the headers.
 */
const send = (
  { origin }: Service,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  rest?: Promise<unknown>,
  onStart?: () => void,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      origin + path,
      {
        agent: false,
        method: body ? 'POST' : 'GET',
        headers: { 'pb-api-token': platform, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response
          .on('data', (chunk) => (text += chunk))
          .on('end', () => {
            const id = Number(response.headers['x-request-id']);
            resolve({ status: response.statusCode ?? 0, text, worker: id % 1000 < 500 ? 1 : 2 });
          })
          .on('error', reject);
      },
    );
    outgoing.on('error', reject);
    const text = body && JSON.stringify(body);
    if (!rest) return void outgoing.end(text);
    outgoing.setHeader('content-length', Buffer.byteLength(text ?? ''));
    outgoing.setHeader('expect', '100-continue').on('continue', () => onStart?.());
    outgoing.flushHeaders();
    void rest.then(() => outgoing.end(text));
  });

const missingPs = missingPrograms('ps');

/** Returns the process IDs of the workers in ascending order, which is the order in which they started. */
const workersOf = ({ pid }: Service): number[] => {
  const psOutput = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return psOutput
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === pid && args.join(' ').includes('dist/src/main.js'))
    .map(([own]) => Number(own))
    .sort((a, b) => a - b);
};

/** Whether a process is running. Zombie processes do not count as running. */
const isAlive = (pid: number): boolean => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
};

/** Returns the log entries with a message that contains the given text. */
const logEntries = ({ output }: Service, message: string): { worker?: number; level: number }[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg.includes(message));

describe('two workers on one database', requires(missingPs), () => {
  let database: Database;
  let service: Service;
  let sql: Client;
  const mails: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      mails.push(...envelope.rcptTo.map(({ address }) => address));
      stream.resume().on('end', done);
    },
  });
  beforeAll(async () => {
    await once(smtp.listen(0, '127.0.0.1'), 'listening');
    database = await freshDatabase();
    service = await startService({
      DATABASE_URL: database.url,
      WORKERS: '2',
      BOOTSTRAP_PLATFORM_TOKEN: platform,
      BOOTSTRAP_ADMIN_EMAIL: admin.email,
      BOOTSTRAP_ADMIN_PASSWORD: admin.password,
      ROUTER_SECRET: 'the-secret-of-routers',
      SMTP_URL: `smtp://127.0.0.1:${portOf(smtp.server)}`,
      SUBGRAPHS: 'none',
    });
    sql = new Client({ connectionString: database.url });
    await sql.connect();
  });
  afterAll(async () => {
    await sql.end();
    smtp.close();
    service.signal('SIGKILL');
    await service.exit;
    await database.drop();
  });

  const haveBothAnswered = (answers: Answer[]) => new Set(answers.map(({ worker }) => worker)).size === 2;
  /** Repeats a request until both workers have responded. Returns all responses. */
  async function answersOfBoth(path: string, body?: object, headers?: Record<string, string>): Promise<Answer[]> {
    const answers: Answer[] = [];
    while (!haveBothAnswered(answers)) answers.push(await send(service, path, body, headers));
    return answers;
  }

  test('both workers serve requests and are ready', async () => {
    const answers = await answersOfBoth('/readyz');
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 {"status":"up"}']));
  });

  test('the workers count failed logins together', async () => {
    const wrongLogin = { payload: { email: 'nobody@example.com', password: 'not the password' } };
    const answers = await Promise.all(Array.from({ length: 24 }, () => send(service, '/v1/sso/login', wrongLogin)));
    const unauthorized = answers.filter(({ status }) => status === 401).length;
    const refused = answers.length - unauthorized;
    expect({ bothAnswered: haveBothAnswered(answers), unauthorized, refused }).toEqual({
      bothAnswered: true,
      unauthorized: 10,
      refused: 14,
    });
  });

  test('a request repeated with its idempotency key on the other worker gets the first response', async () => {
    const create = { query: 'mutation { createLeague(input: { title: "Ladder" }) { id } }' };
    const answers = await answersOfBoth('/graphql', create, { 'idempotency-key': 'one and the same' });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('a killed worker is replaced, and only requests in flight fail', async () => {
    const [, second = 0] = workersOf(service);
    let [failures, successes, isStopped] = [0, 0, false];
    const clients = Array.from({ length: 4 }, async () => {
      while (!isStopped)
        await send(service, '/v1/data/lookup_currencies').then(
          ({ status }) => (status === 200 ? successes++ : failures++),
          () => failures++,
        );
    });
    await expect.poll(() => successes).toBeGreaterThan(20);
    process.kill(second, 'SIGKILL');
    await expect.poll(() => logEntries(service, 'is running again').length, { timeout: 120_000 }).toBe(1);
    isStopped = true;
    await Promise.all(clients);
    await answersOfBoth('/readyz');
    expect(failures).toBeLessThanOrEqual(4);
    expect(successes).toBeGreaterThan(100);
    const workers = workersOf(service);
    expect({ hasKilledWorker: workers.includes(second), count: workers.length }).toEqual({ hasKilledWorker: false, count: 2 });
    expect(logEntries(service, 'was terminated by SIGKILL and will restart')).toMatchObject([{ worker: 2, level: 40 }]);
  });

  test('another worker takes over the jobs of a killed worker, and each job runs once', async () => {
    const [first = 0] = workersOf(service);
    process.kill(first, 'SIGKILL');
    await expect.poll(() => isAlive(first)).toBe(false);
    // The primary may hand connections to the killed worker until it notices the exit.
    await expect
      .poll(() => logEntries(service, 'was terminated by SIGKILL and will restart').map(({ worker }) => worker))
      .toContain(1);
    const { status, text } = await send(service, '/v1/pub/request_forgot_password', {
      payload: { ...admin, request_type: 'email' },
    });
    expect({ status, text, mails }).toEqual({ status: 200, text: '{}', mails: [] });
    await expect.poll(() => mails, { timeout: 120_000, interval: 200 }).toEqual([admin.email]);
    // Workers poll for email every two seconds, so by then a second worker would have sent the email again.
    await sleep(4_500);
    expect(mails).toEqual([admin.email]);
  });

  test('Ctrl-C finishes the request in flight and leaves no process', async () => {
    await answersOfBoth('/readyz');
    const workers = workersOf(service);
    const { promise: rest, resolve: finish } = Promise.withResolvers<void>();
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const login = send(service, '/v1/sso/login', { payload: admin }, {}, rest, start);
    await started;
    service.signal('SIGINT');
    // Waits until the service rejects new requests. A connection that the primary accepts after its workers have closed gets no response.
    const readiness = () => send(service, '/readyz').then(({ status }) => status, String);
    await expect.poll(() => Promise.race([readiness(), sleep(500, 'no response')])).not.toBe(200);
    finish();
    expect({
      status: (await login).status,
      exitCode: await service.exit,
      runningWorkers: workers.filter(isAlive),
    }).toEqual({ status: 200, exitCode: 0, runningWorkers: [] });
  });
});

/** Starts a service with two workers and kills it when the test ends. */
async function twoWorkers(variables: Record<string, string>): Promise<Service> {
  const service = await startService({ WORKERS: '2', ...variables });
  onTestFinished(() => service.signal('SIGKILL'));
  return service;
}

test('SIGTERM drains all workers', requires(missingPs), async () => {
  const database = await freshDatabase();
  const service = await twoWorkers({ DATABASE_URL: database.url, DRAIN_DELAY: '5' });
  const workers = workersOf(service);
  service.signal('SIGTERM');
  const readyz = async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(service, '/readyz')));
    return [...new Set(answers.map(({ status, text, worker }) => `${worker} ${status} ${text}`))].sort();
  };
  await expect
    .poll(readyz, { interval: 20 })
    .toEqual([1, 2].map((worker) => `${worker} 503 {"status":"down","reason":"draining"}`));
  expect({ exitCode: await service.exit, runningWorkers: workers.filter(isAlive) }).toEqual({
    exitCode: 0,
    runningWorkers: [],
  });
  await database.drop();
});

test('the workers and the database of a killed primary exit', requires(missingPs), async () => {
  const directory = await scratchDirectory();
  // All workers share one port, even with port 0.
  const service = await twoWorkers({ DATA_DIR: directory, PORT: '0' });
  const workers = workersOf(service);
  expect(workers.length).toBe(2);
  expect(service.output()).not.toContain('taken');
  service.signal('SIGKILL');
  await expect.poll(() => workers.filter(isAlive)).toEqual([]);
  await expect.poll(() => existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('a configuration error of the first worker is reported once', async () => {
  const database = await freshDatabase();
  const service = await runService({
    DATABASE_URL: database.url,
    WORKERS: '2',
    BOOTSTRAP_ADMIN_EMAIL: admin.email,
    BOOTSTRAP_ADMIN_PASSWORD: 'short',
  });
  expect({ exitCode: await service.exit, lines: service.output().trim().split('\n') }).toEqual({
    exitCode: 1,
    lines: [
      expect.stringMatching(/^BOOTSTRAP_ADMIN_PASSWORD: /),
      'Courtside did not start: its first worker exited with code 1.',
    ],
  });
  await database.drop();
});
