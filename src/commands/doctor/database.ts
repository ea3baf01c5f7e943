import { migrations } from '../../../migrations/index.js';
import type { Config } from '../../config.js';
import { runningEmbedded } from '../../database/embedded-running.js';
import { openOrm } from '../../database/orm.js';
import { reach } from '../../database/reach.js';
import { executedMigrations } from '../../database/ready-sql.js';
import { checkDemo, hasDemo } from '../../demo/served-demo.js';
import { Pools, Session } from '../../kernel/session.js';
import { countJobs } from '../../messaging/job-counts-sql.js';
import { extensionsOf, overdueJobs, serverOf, webhooksByState } from './database-sql.js';
import { type Finding, looked, notYet, right, wrong } from './finding.js';

/** What is found of the database, by what it is about. */
export type DatabaseFindings = Readonly<
  Record<'Database' | 'Extensions' | 'Migrations' | 'Jobs' | 'Webhooks' | 'Clock', Finding[]>
>;

const needed = ['cube', 'earthdistance', 'hstore', 'pg_trgm', 'unaccent'];

async function extensionFindings(sql: Session, isNew: boolean): Promise<Finding[]> {
  const known = new Map((await extensionsOf(sql)).map(({ name, isMade }) => [name, isMade]));
  const lacking = needed.filter((name) => !known.has(name));
  const unmade = needed.filter((name) => known.get(name) === false);
  if (lacking.length)
    return [
      wrong(`the server lacks ${lacking.join(', ')}`, 'install the contrib package of its PostgreSQL (postgresql-contrib).'),
    ];
  if (!unmade.length) return [right(needed.join(', '))];
  return isNew
    ? [notYet(`${unmade.join(', ')} can be made, which the first start does`)]
    : [
        wrong(
          `${unmade.join(', ')} are not made`,
          `let a superuser run "create extension" for ${unmade.join(', ')} in that database.`,
        ),
      ];
}

function migrationFindings(executed: ReadonlySet<unknown> | null): Finding[] {
  if (executed === null || executed.size === 0) return [notYet('the database is new: the first start makes the tables')];
  const known = migrations.map(({ name }) => name);
  const newer = [...executed].filter((name) => !known.some((each) => each === name));
  if (newer.length)
    return [
      wrong(
        `a newer Courtside has used the database: it knows ${newer.at(-1)}, this one does not`,
        'start that version, or restore a backup.',
      ),
    ];
  const pending = known.filter((name) => !executed.has(name));
  return pending.length
    ? [wrong(`${pending.length} are pending: ${pending.join(', ')}`, 'start this version, which runs them.')]
    : [right(`all ${known.length} have run`)];
}

async function jobFindings(sql: Session): Promise<Finding[]> {
  const counts = await countJobs(sql);
  if (!counts.length) return [right('nothing is waiting')];
  const count = (state: string) => counts.reduce((sum, each) => sum + (each.state === state ? each.count : 0), 0);
  const [dead, failed, overdue] = [count('dead'), count('failed'), await overdueJobs(sql)];
  const found = [
    ...(dead
      ? [
          wrong(
            `${dead} messages were given up`,
            'see `npm run jobs -- list` for why, mend that, then `npm run jobs -- retry all`.',
          ),
        ]
      : []),
    ...(overdue
      ? [
          wrong(
            `${overdue} messages should have left ten minutes ago`,
            'start the service, and see that SMTP_URL and SMS_WEBHOOK_URL are set: what has no way out waits.',
          ),
        ]
      : []),
  ];
  return found.length
    ? found
    : [right(`${count('waiting')} waiting, ${count('active')} on their way, ${failed} to be tried again`)];
}

async function webhookFindings(sql: Session): Promise<Finding[]> {
  const found = await webhooksByState(sql);
  const failed = found.filter(({ reason }) => reason === 'FAILED' || reason === 'GONE');
  const hosts = [...new Set(failed.map(({ url }) => new URL(url).host))].slice(0, 5).join(', ');
  if (failed.length)
    return [
      wrong(
        `${failed.length} ${failed.length === 1 ? 'is' : 'are'} paused, because receivers do not take what is sent: ${hosts}`,
        'tell their platforms; the list webhooks says why, and resumeWebhook has them go on.',
      ),
    ];
  return [
    right(
      found.length === 0
        ? 'there are none'
        : `${found.filter(({ reason }) => reason === null).length} of ${found.length} at work`,
    ),
  ];
}

/** How far clocks may be apart, in milliseconds; and a moment that is past. */
const [apart, past] = [5_000, Date.UTC(2026, 0)];

/** Whether our clock, and that of the database, tell the time. */
export function clockFinding(ours: number, theirs: number | null): Finding {
  if (ours < past) return wrong(`this machine believes that it is ${new Date(ours).toISOString()}`, 'set its clock, by NTP.');
  if (theirs === null) return right(new Date(ours).toISOString());
  const between = Math.abs(ours - theirs);
  return between > apart
    ? wrong(`this machine and the database are ${Math.round(between / 1000)} s apart`, 'set both clocks, by NTP.')
    : right(`${new Date(ours).toISOString()}, as the database has it`);
}

const nothing = (why: Finding[]): DatabaseFindings => {
  const unknown = [notYet('not looked at without a database')];
  return {
    Database: why,
    Extensions: unknown,
    Migrations: unknown,
    Jobs: unknown,
    Webhooks: unknown,
    Clock: [clockFinding(Date.now(), null)],
  };
};

/** Where a database is, without what opens it. */
function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname}`;
}

type Configured = Pick<Config, 'databaseUrl' | 'dataDir' | 'isProduction' | 'demo'>;

async function lookAt({ databaseUrl, dataDir, isProduction, demo }: Configured): Promise<DatabaseFindings> {
  const url = databaseUrl ?? (isProduction ? null : await runningEmbedded(dataDir));
  if (url === null && isProduction) return nothing([notYet('not looked at: DATABASE_URL is unset')]);
  if (url === null) return nothing([notYet('the embedded one is not running: npm start starts it')]);
  const reached = await looked(async () => {
    await reach(url);
    return [];
  });
  if (reached.length) return nothing(reached);
  const orm = openOrm({ url, pool: 2, lazily: true });
  try {
    const sql = new Session(new Pools(orm), 'write');
    const executed = await executedMigrations(orm);
    return {
      Database: await looked(async () => {
        if (isProduction && executed?.size) checkDemo(await hasDemo(sql), { isProduction, demo });
        return [right(`${placeOf(url)}, PostgreSQL ${(await serverOf(sql))?.version}`)];
      }),
      Extensions: await looked(() => extensionFindings(sql, executed === null)),
      Migrations: migrationFindings(executed),
      Jobs: await looked(() => jobFindings(sql)),
      Webhooks: await looked(() => webhookFindings(sql)),
      Clock: await looked(async () => {
        const before = Date.now();
        const server = await serverOf(sql);
        return [clockFinding((before + Date.now()) / 2, server?.now ?? null)];
      }),
    };
  } finally {
    await orm.close(true);
  }
}

/** Looks at the database that is configured, or at the embedded one where it runs: that is never started, stopped or locked. */
export async function databaseFindings(config: Configured): Promise<DatabaseFindings> {
  let found = nothing([]);
  const troubles = await looked(async () => {
    found = await lookAt(config);
    return [];
  });
  return troubles.length ? nothing(troubles) : found;
}
