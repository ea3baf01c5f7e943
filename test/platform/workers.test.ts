import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
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

/** A request over a connection of its own. */
const ask = ({ origin }: Service, path: string, body?: object, headers: Record<string, string> = {}): Promise<Asked> =>
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
    sent.on('error', reject).end(body && JSON.stringify(body));
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

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
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
  beforeAll(async () => {
    database = await emptyDatabase();
    service = await startService({
      DATABASE_URL: database.url,
      WORKERS: '2',
      BOOTSTRAP_PLATFORM_TOKEN: platform,
      BOOTSTRAP_ADMIN_EMAIL: admin.email,
      BOOTSTRAP_ADMIN_PASSWORD: admin.password,
      ROUTER_SECRET: 'the-secret-of-routers',
      SMTP_URL: 'smtp://127.0.0.1:1',
      SUBGRAPHS: 'none',
    });
    sql = new Client({ connectionString: database.url });
    await sql.connect();
  });
  afterAll(async () => {
    await sql.end();
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

  test('migrations and jobs are the work of one', async () => {
    const { rows } = await sql.query<{ count: string; names: string }>(
      `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'courtside messaging' and query ~ 'fetch|job'`,
    );
    expect(Number(rows[0]?.count)).toBeGreaterThan(0);
    const started = await sql.query('select count(distinct name) = count(*) as once from mikro_orm_migrations');
    expect(started.rows).toEqual([{ once: true }]);
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
    const jobs = async () =>
      (
        await sql.query<{ id: string; retry_count: number }>(
          `select id, retry_count from jobs.job where name = 'mail' and state in ('retry', 'completed', 'failed')`,
        )
      ).rows;
    process.kill(first, 'SIGKILL');
    const asked = await ask(service, '/v1/pub/request_forgot_password', {
      payload: { email: admin.email, custom_url: 'http://localhost/', request_type: 'email' },
    });
    await expect.poll(jobs, { timeout: 120_000 }).toMatchObject([{ retry_count: 0 }]);
    expect(asked.status).toBe(200);
    // Both are asked for mail, and one has logged that it could not be sent.
    expect(logged(service, 'mail').map(({ worker }) => worker)).toEqual([1]);
  });

  test('Ctrl-C finishes what is in flight and leaves nothing', async () => {
    await ready();
    const workers = workersOf(service);
    const login = ask(service, '/v1/sso/login', { payload: admin });
    await sleep(30);
    service.signal('SIGINT');
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
  const service = await twoWorkers({ DATA_DIR: directory });
  const workers = workersOf(service);
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
