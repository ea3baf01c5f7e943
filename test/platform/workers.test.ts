import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { portOf } from '../../src/port.js';
import { type Database, emptyDatabase } from '../support/database.js';
import { runService, type Service, scratchDirectory, startService } from '../support/service.js';

// Whole processes are started, and started again.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const platform = 'the-token-of-a-platform';
const admin = { email: 'admin@example.com', password: 'a long enough password' };

interface Asked {
  status: number;
  text: string;
  /** Which of two workers it was: they number their requests apart. */
  worker: number;
}

/** A request over a connection of its own; the end of its body is sent when `rest` is over. */
const ask = (
  { origin }: Service,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  rest?: Promise<unknown>,
): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const sent = request(
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
    sent.on('error', reject);
    const text = body && JSON.stringify(body);
    if (!rest) return void sent.end(text);
    sent.setHeader('content-length', Buffer.byteLength(text ?? ''));
    sent.write(text?.slice(0, 10));
    void rest.then(() => sent.end(text?.slice(10)));
  });

/** The process ids of the workers, in the order in which they were started. */
const workersOf = ({ pid }: Service): number[] => {
  const found = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return found
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === pid && args.join(' ').includes('dist/src/main.js'))
    .map(([own]) => Number(own))
    .sort((a, b) => a - b);
};

/** Whether a process is there; what has ended and waits for its parent to notice is not. */
const isAlive = (pid: number): boolean => {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
};

/** What was logged, by what it says. */
const logged = ({ output }: Service, message: string): { worker?: number; level: number }[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg.includes(message));

describe('two workers on one database', () => {
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
    database = await emptyDatabase();
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
    await service.ended;
    await database.drop();
  });

  /** Asks until both workers have answered, or some way of asking has shown who does. */
  async function answersOf(path: string, wanted: (answers: Asked[]) => boolean): Promise<Asked[]> {
    const answers: Asked[] = [];
    while (!wanted(answers)) answers.push(await ask(service, path));
    return answers;
  }
  const both = (answers: Asked[]) => new Set(answers.map(({ worker }) => worker)).size === 2;
  const ready = () => answersOf('/readyz', both);

  test('both answer, and each is ready', async () => {
    const answers = await ready();
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 {"status":"up"}']));
  });

  test('failed logins at both count together', async () => {
    const wrong = { payload: { email: 'nobody@example.com', password: 'not the password' } };
    const statuses = await Promise.all(Array.from({ length: 24 }, () => ask(service, '/v1/sso/login', wrong)));
    const tried = statuses.filter(({ status }) => status === 401).length;
    expect([both(statuses), tried, statuses.length - tried]).toEqual([true, 10, 14]);
  });

  test('a request that is sent again to the other one gets the first answer', async () => {
    const create = { query: 'mutation { createLeague(input: { title: "Ladder" }) { id } }' };
    const answers: Asked[] = [];
    while (!both(answers)) answers.push(await ask(service, '/graphql', create, { 'idempotency-key': 'one and the same' }));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('one that is killed is replaced; but for the requests in flight none fails', async () => {
    const [, second = 0] = workersOf(service);
    let [failed, answered, isOver] = [0, 0, false];
    const clients = Array.from({ length: 4 }, async () => {
      while (!isOver)
        await ask(service, '/v1/data/lookup_currencies').then(
          ({ status }) => (status === 200 ? answered++ : failed++),
          () => failed++,
        );
    });
    await sleep(300);
    process.kill(second, 'SIGKILL');
    await expect.poll(() => logged(service, 'is up again').length, { timeout: 120_000 }).toBe(1);
    isOver = true;
    await Promise.all(clients);
    await ready();
    expect([failed <= 4, answered > 100, workersOf(service).includes(second), workersOf(service).length]).toEqual([
      true,
      true,
      false,
      2,
    ]);
    expect(logged(service, 'was ended by SIGKILL and is started again')).toMatchObject([{ worker: 2, level: 40 }]);
  });

  test('jobs go on when the one dies that does them, and are done once', async () => {
    const [first = 0] = workersOf(service);
    process.kill(first, 'SIGKILL');
    await expect.poll(() => isAlive(first)).toBe(false);
    // Until the primary has heard of its end, it may be handed a connection.
    await expect.poll(() => ask(service, '/livez').then(({ status }) => status, String)).toBe(200);
    const asked = await ask(service, '/v1/pub/request_forgot_password', { payload: { ...admin, request_type: 'email' } });
    expect([asked.status, asked.text, mails]).toEqual([200, '{}', []]);
    await expect.poll(() => mails, { timeout: 120_000, interval: 200 }).toEqual([admin.email]);
    // Both look for mails every two seconds, if both do.
    await sleep(4_500);
    expect(mails).toEqual([admin.email]);
  });

  test('Ctrl-C finishes what is in flight and leaves nothing', async () => {
    await ready();
    const workers = workersOf(service);
    const { promise: rest, resolve: finish } = Promise.withResolvers<void>();
    const login = ask(service, '/v1/sso/login', { payload: admin }, {}, rest);
    await sleep(500);
    service.signal('SIGINT');
    await sleep(100);
    finish();
    expect([(await login).status, await service.ended, workers.filter(isAlive)]).toEqual([200, 0, []]);
  });
});

/** A service of two workers that does not outlive its test. */
async function twoWorkers(variables: Record<string, string>): Promise<Service> {
  const service = await startService({ WORKERS: '2', ...variables });
  onTestFinished(() => service.signal('SIGKILL'));
  return service;
}

test('SIGTERM drains all of them', async () => {
  const database = await emptyDatabase();
  const service = await twoWorkers({ DATABASE_URL: database.url, DRAIN_DELAY: '2' });
  const workers = workersOf(service);
  service.signal('SIGTERM');
  await sleep(500);
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(service, '/readyz')));
  expect(new Set(answers.map(({ status, text, worker }) => `${worker} ${status} ${text}`))).toEqual(
    new Set([1, 2].map((worker) => `${worker} 503 {"status":"down","reason":"draining"}`)),
  );
  expect([await service.ended, workers.filter(isAlive)]).toEqual([0, []]);
  await database.drop();
});

test('nothing outlives a primary that is killed, its database neither', async () => {
  const directory = await scratchDirectory();
  // They share the port also when it is any that is free.
  const service = await twoWorkers({ DATA_DIR: directory, PORT: '0' });
  const workers = workersOf(service);
  expect(service.output()).not.toContain('taken');
  service.signal('SIGKILL');
  await expect.poll(() => workers.filter(isAlive)).toEqual([]);
  await expect.poll(() => existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(false);
  expect(workers.length).toBe(2);
});

test('what keeps the first one from starting is told once', async () => {
  const database = await emptyDatabase();
  const service = await runService({ DATABASE_URL: database.url, WORKERS: '2', TRUSTED_DOCUMENTS: '/no/such/file' });
  expect([await service.ended, service.output().trim().split('\n')]).toEqual([
    1,
    [
      expect.stringMatching(/^TRUSTED_DOCUMENTS names a file that cannot be read: /),
      'Courtside did not start: its first worker ended with 1.',
    ],
  ]);
  await database.drop();
});
