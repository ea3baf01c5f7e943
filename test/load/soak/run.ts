import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { hashPassword } from '../../../src/modules/accounts/passwords/password.js';
import { hashOf } from '../../../src/modules/accounts/tokens/secrets.js';
import { OpenResources } from '../../../src/server/lifecycle/open-resources.js';
import { startMailServer } from '../../support/servers/counting-smtp-server.js';
import { startPostgres } from '../../support/servers/crashable-postgres.js';
import { startProcess } from '../service-process.js';
import { callsAt, passwordOfCalls, rowsOfCalls } from './calls.js';
import type { ResourceUsage } from './inside.js';
import { chartOf, growthOf, type IntervalStats, quantile } from './report.js';
import { Traffic } from './traffic.js';

// Runs a mixed load on a separate service for a long time and checks that no resource usage grows.
const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, rate: { type: 'string', default: '100' } },
});
const [minutes, rate] = [Number(options.minutes), Number(options.rate)];
/** Length of a measurement interval, in seconds. */
const interval = 10;
if (!(minutes >= 3 && rate > 0)) throw new Error('--minutes must be at least 3, and --rate must be greater than 0');

const tokens = { platform: 'soak-platform-token-7f31', user: 'soak-admin-token-2c9d', router: 'soak-router-secret-8a55' };
/** Number of pending requests at which the run ends. */
const maxOpenRequests = 10_000;
/** Maximum time after the last request until its resources are closed, in seconds. */
const idleSeconds = 20;
const resources = new OpenResources();
const problems: string[] = [];
try {
  const directory = await mkdtemp(join(tmpdir(), 'courtside-soak-'));
  // When run as root, PostgreSQL runs as another user, who must be able to enter the directory.
  await chmod(directory, 0o711);
  resources.add(() => rm(directory, { recursive: true, force: true }));
  const postgres = await startPostgres(directory);
  resources.add(() => postgres.stop());
  const mails = await startMailServer();
  resources.add(() => mails.close());
  const database = new Client({ connectionString: postgres.url, application_name: 'soak' });
  await database.connect();
  resources.add(() => database.end());
  for (const statement of rowsOfCalls(await hashPassword(passwordOfCalls))) await database.query(statement);
  const figures = join(directory, 'figures');
  const service = await startProcess(
    {
      DATABASE_URL: postgres.url,
      BOOTSTRAP_PLATFORM_TOKEN: tokens.platform,
      BOOTSTRAP_ADMIN_EMAIL: 'soak-admin@players.test',
      BOOTSTRAP_ADMIN_PASSWORD: passwordOfCalls,
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      RATE_LIMITS: 'address=1000000/1m,account=1000000/1m',
      ROUTER_SECRET: tokens.router,
      LOG_LEVEL: 'warn',
      SOAK_USAGE_FILE: figures,
    },
    ['--import', join(import.meta.dirname, 'inside.js')],
  );
  resources.add(() => service.stop());
  await database.query(
    `insert into user_token (id, token_hash, user_id, expires_at)
       select 'soak', $1, id, now() + interval '10 days' from app_user where email = 'soak-admin@players.test'`,
    [hashOf(tokens.user)],
  );

  function readUsage(): ResourceUsage {
    const usage: ResourceUsage = JSON.parse(readFileSync(figures, 'utf8'));
    if (Date.now() - usage.time > 10_000) problems.push('the service has not reported its resource usage for ten seconds');
    return usage;
  }
  const connections = async (): Promise<number> =>
    (
      await database.query(
        "select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name <> 'soak'",
      )
    ).rows[0].count;
  const traffic = new Traffic(callsAt(service.origin, tokens), rate);
  const intervals: IntervalStats[] = [];
  let answers = 0;
  const kinds: Record<string, number> = {};
  async function takeSample(): Promise<void> {
    const { took, problems: intervalProblems, kinds: counts } = traffic.takeInterval();
    const { resident, files, handles, listeners } = readUsage();
    answers += took.length;
    for (const [kind, count] of Object.entries(counts)) kinds[kind] = (kinds[kind] ?? 0) + count;
    for (const problem of intervalProblems) problems.push(problem);
    intervals.push({
      answers: took.length,
      p50: quantile(took, 0.5),
      p99: quantile(took, 0.99),
      resident,
      files,
      listeners,
      handles: Object.values(handles).reduce((sum, count) => sum + count, 0),
      connections: await connections(),
    });
    if (traffic.open > maxOpenRequests) throw new Error(`${traffic.open} requests have no response`);
  }

  await sleep(2_000);
  console.log(`${rate} requests per second for ${minutes} minutes, measured every ${interval} s …`);
  const running = traffic.run();
  for (let index = 0; index < (minutes * 60) / interval; index++) {
    await sleep(interval * 1000);
    await takeSample();
    if (index % 6 === 5 && process.stdout.isTTY) console.log(chartOf(intervals, interval).split('\n').slice(2, 4).join('   '));
  }
  traffic.stop();
  await running;
  await sleep(idleSeconds * 1000);
  const after = readUsage();
  const registered = (await database.query("select email from app_user where email like 'new-%'")).rows.map(({ email }) => email);
  const missing = registered.filter((email) => !mails.times.has(email)).length;
  if (missing) problems.push(`${missing} of ${registered.length} emails were not sent`);
  if (!service.isUp()) problems.push('the service exited');
  problems.push(...growthOf(intervals, interval), ...after.warnings);
  const sockets = after.handles.TCPSocketWrap ?? 0;
  if (sockets > 25) problems.push(`${sockets} sockets are open ${idleSeconds} s after the last request`);
  const warned = service
    .log()
    .split('\n')
    .filter((each) => /"level":(40|50|60)/.test(each));
  if (warned.length) problems.push(`${warned.length} warnings in the log, such as ${warned[0]?.slice(0, 200)}`);

  const mix = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
  console.log(
    `\n${chartOf(intervals, interval)}\n(lowest – median – highest)\n\n${answers} responses (${mix.join(', ')}), ${registered.length} emails;`,
  );
  console.log(
    `${idleSeconds} s later: ${Math.round(after.resident)} MB, ${after.files} open files, ${sockets} sockets, ${await connections()} connections`,
  );
} catch (error) {
  problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await resources.close();
}
const distinctProblems = [...new Set(problems.map((problem) => problem.slice(0, 300)))];
console.log(
  distinctProblems.length
    ? `\n${problems.length} problems:\n  ${distinctProblems.slice(0, 20).join('\n  ')}`
    : '\nno resource usage grew, and no problems were found',
);
process.exit(distinctProblems.length ? 1 : 0);
