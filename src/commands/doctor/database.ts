import { migrations } from '../../../migrations/index.js';
import type { Config } from '../../config/index.js';
import { checkDatabase } from '../../database/check-database.js';
import { checkConnectionLimit } from '../../database/checks/connection-limits.js';
import { databaseProblem, isDatabaseError } from '../../database/checks/database-problem.js';
import { databaseClientOf } from '../../database/checks/database-server.js';
import { optionalServerProblems } from '../../database/checks/optional-servers.js';
import { runningEmbeddedUrl } from '../../database/embedded-server.js';
import { type ExecutedMigrations, incompatibleMigration } from '../../database/migration-history-sql.js';
import { openOrm } from '../../database/orm.js';
import { executedMigrations, predatesBaseline } from '../../database/ready-sql.js';
import { checkDemoIsAllowed, hasDemo } from '../../demo/demo-state.js';
import { primaryHostOf } from '../../kernel/primary-host.js';
import { Pools, Session } from '../../kernel/session.js';
import { countJobs } from '../../messaging/jobs-sql.js';
import { quantity } from '../../process/quantity.js';
import { countOverdueJobs, extensionsOf, serverInfoOf, sortsByCodePoint, webhookStates } from './database-sql.js';
import {
  type Finding,
  failedFinding,
  findingFromMessage,
  passedFinding,
  runCheck,
  skippedFinding,
  warningFinding,
} from './finding.js';

/** Findings of the database checks, keyed by the name of the check. */
type DatabaseFindings = Readonly<
  Record<'Database' | 'Collation' | 'Extensions' | 'Migrations' | 'Jobs' | 'Webhooks' | 'Clock', Finding[]>
>;

const collationFinding = (isByCodePoint: boolean): Finding =>
  isByCodePoint
    ? passedFinding('sorts by code point')
    : warningFinding(
        'the collation of the database does not sort by code point, so lists sort IDs and codes differently from other databases',
        'create a database with the collation C, as in docs/deploy/roles.sql, and move the data to it (docs/backups.md).',
      );

const requiredExtensions = ['cube', 'earthdistance', 'hstore', 'pg_trgm', 'unaccent'];

async function extensionFindings(sql: Session, isNew: boolean): Promise<Finding[]> {
  const isInstalledByName = new Map((await extensionsOf(sql)).map(({ name, isInstalled }) => [name, isInstalled]));
  const unavailableExtensions = requiredExtensions.filter((name) => !isInstalledByName.has(name));
  const missingExtensions = requiredExtensions.filter((name) => isInstalledByName.get(name) === false);
  if (unavailableExtensions.length)
    return [
      failedFinding(
        `the server does not provide ${unavailableExtensions.join(', ')}`,
        'install the postgresql-contrib package on the database server.',
      ),
    ];
  if (!missingExtensions.length) return [passedFinding(requiredExtensions.join(', '))];
  return isNew
    ? [skippedFinding(`the first start installs ${missingExtensions.join(', ')}`)]
    : [
        failedFinding(
          `${missingExtensions.join(', ')} ${missingExtensions.length === 1 ? 'is' : 'are'} not installed`,
          `run "create extension" for ${missingExtensions.join(', ')} in this database as a superuser.`,
        ),
      ];
}

function migrationFindings(executed: ExecutedMigrations | null): Finding[] {
  if (executed === null || executed.size === 0)
    return [skippedFinding('the database is new: the first start creates the tables')];
  if (predatesBaseline(executed))
    return [
      failedFinding(
        'the tables were created by a development version before 0.1.0 and cannot be upgraded',
        'use that version to export the data that you need, then start this version with an empty database.',
      ),
    ];
  const incompatible = incompatibleMigration(executed, migrations);
  if (incompatible)
    return [
      failedFinding(
        `a newer version of Courtside has migrated the database: ${incompatible.name} is unknown to this version`,
        `start ${incompatible.oldestRelease === null ? 'the newer version' : `version ${incompatible.oldestRelease} or newer`}, or restore a backup.`,
      ),
    ];
  const names = migrations.map(({ name }) => name);
  const unknownNames = [...executed.keys()].filter((name) => !names.includes(name));
  const compatible = unknownNames.length
    ? `, and so ${unknownNames.length === 1 ? 'has' : 'have'} ${quantity(unknownNames.length, 'migration')} of a newer, compatible version`
    : '';
  const pendingMigrations = names.filter((name) => !executed.has(name));
  return pendingMigrations.length
    ? [
        failedFinding(
          `${pendingMigrations.length} pending: ${pendingMigrations.join(', ')}`,
          'run "courtside migrate", or start this version with MIGRATE=true.',
        ),
      ]
    : [passedFinding(`all ${names.length} have run${compatible}`)];
}

async function jobFindings(sql: Session): Promise<Finding[]> {
  const counts = await countJobs(sql);
  if (!counts.length) return [passedFinding('no messages are waiting')];
  const count = (state: string) => counts.reduce((sum, each) => sum + (each.state === state ? each.count : 0), 0);
  const [dead, retrying, overdue] = [count('dead'), count('failed'), await countOverdueJobs(sql)];
  const problems = [
    dead > 0 &&
      failedFinding(
        `${quantity(dead, 'message')} could not be sent`,
        'run "courtside jobs list" to see the errors, fix their causes, then run "courtside jobs retry all".',
      ),
    overdue > 0 &&
      failedFinding(
        `${quantity(overdue, 'message')} ${overdue === 1 ? 'has' : 'have'} been waiting for more than 10 minutes`,
        'start the service, and set SMTP_URL for emails and SMS_WEBHOOK_URL for text messages.',
      ),
  ].filter((problem) => problem !== false);
  return problems.length
    ? problems
    : [passedFinding(`${count('waiting')} waiting, ${count('active')} being sent, ${retrying} to be retried`)];
}

async function webhookFindings(sql: Session): Promise<Finding[]> {
  const webhooks = await webhookStates(sql);
  const failing = webhooks.filter(({ reason }) => reason === 'FAILED' || reason === 'GONE');
  const hosts = [...new Set(failing.map(({ url }) => new URL(url).host))].slice(0, 5).join(', ');
  if (failing.length)
    return [
      failedFinding(
        `${failing.length} ${failing.length === 1 ? 'is' : 'are'} paused because deliveries failed: ${hosts}`,
        'inform their platforms. The webhooks query shows the errors, and the resumeWebhook mutation resumes deliveries.',
      ),
    ];
  return [
    passedFinding(
      webhooks.length === 0
        ? 'there are no webhooks'
        : `${webhooks.filter(({ reason }) => reason === null).length} of ${webhooks.length} active`,
    ),
  ];
}

/** Maximum allowed difference between the clocks, in milliseconds. */
const maxDifference = 5_000;
/** Earliest plausible time. A clock that shows an earlier time has not been set. */
const earliestDate = Date.UTC(2026, 0);

/**
 * Checks that the clock of this machine is set, and that it agrees with the clock of the database. Both times are in milliseconds since the
 * Unix epoch. `databaseTime` is null if no database was reached.
 */
export function clockFinding(localTime: number, databaseTime: number | null): Finding {
  const local = new Date(localTime).toISOString();
  if (localTime < earliestDate)
    return failedFinding(`the clock of this machine is wrong: it shows ${local}`, 'synchronize it with NTP.');
  if (databaseTime === null) return passedFinding(local);
  const difference = Math.abs(localTime - databaseTime);
  return difference > maxDifference
    ? failedFinding(
        `the clocks of this machine and the database differ by ${Math.round(difference / 1000)} s`,
        'synchronize both with NTP.',
      )
    : passedFinding(`${local}, same as the database`);
}

const withoutDatabase = (findings: Finding[]): DatabaseFindings => {
  const noDatabase = [skippedFinding('no database')];
  return {
    Database: findings,
    Collation: noDatabase,
    Extensions: noDatabase,
    Migrations: noDatabase,
    Jobs: noDatabase,
    Webhooks: noDatabase,
    Clock: [clockFinding(Date.now(), null)],
  };
};

/** Returns the host, port and name of a database, without the user and password. If the URL has several hosts, returns the primary. */
async function locationOf(url: string): Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  const primary = await primaryHostOf(url);
  return `${primary?.host ?? hostname}:${primary?.port ?? (port || 5432)}${pathname}`;
}

type DatabaseConfig = Pick<
  Config,
  'databaseUrl' | 'dataDir' | 'isProduction' | 'workers' | 'databasePool' | 'replicaUrls' | 'listenUrl'
>;

/** Checks that the server permits enough connections for the service, and that the other database servers respond. */
async function serverFindings(config: DatabaseConfig, url: string): Promise<Finding[]> {
  const { info, server } = await checkDatabase(url, config.databaseUrl === null ? null : 'DATABASE_URL');
  const warning = checkConnectionLimit(config, info, server);
  return [...(warning ? [warning] : []), ...(await optionalServerProblems(config))].map(findingFromMessage);
}

async function examineDatabase(config: DatabaseConfig): Promise<DatabaseFindings> {
  const { databaseUrl, dataDir, isProduction } = config;
  const url = databaseUrl ?? (isProduction ? null : await runningEmbeddedUrl(dataDir));
  if (url === null && isProduction) return withoutDatabase([skippedFinding('DATABASE_URL is not set')]);
  if (url === null) return withoutDatabase([skippedFinding('the embedded database is not running. The service starts it')]);
  const connectionProblems = await runCheck(async () => {
    await checkDatabase(url);
    return [];
  });
  if (connectionProblems.length) return withoutDatabase(connectionProblems);
  const serverProblems = await runCheck(() => serverFindings(config, url));
  const orm = openOrm({ url, pool: 2, isLazy: true });
  const { server } = databaseClientOf(url, databaseUrl === null ? null : 'DATABASE_URL');
  const explain = (error: unknown): never => {
    throw error instanceof Error && isDatabaseError(error) ? databaseProblem(error, server) : error;
  };
  const check = (work: () => Promise<Finding[]>) => runCheck(() => work().catch(explain));
  try {
    const sql = new Session(new Pools(orm), 'write');
    const executed = await executedMigrations(orm).catch(explain);
    return {
      Database: await check(async () => {
        if (isProduction && executed?.size) checkDemoIsAllowed(await hasDemo(sql), { isProduction });
        return serverProblems.length > 0
          ? serverProblems
          : [passedFinding(`${await locationOf(url)}, PostgreSQL ${(await serverInfoOf(sql))?.version}`)];
      }),
      Collation: await check(async () => [collationFinding(await sortsByCodePoint(sql))]),
      Extensions: await check(() => extensionFindings(sql, executed === null)),
      Migrations: migrationFindings(executed),
      Jobs: await check(() => jobFindings(sql)),
      Webhooks: await check(() => webhookFindings(sql)),
      Clock: await check(async () => {
        const startedAt = Date.now();
        const server = await serverInfoOf(sql);
        return [clockFinding((startedAt + Date.now()) / 2, server?.now ?? null)];
      }),
    };
  } finally {
    await orm.close(true);
  }
}

/**
 * Checks the configured database or, if none is configured, the running embedded database. Never starts, stops or locks the embedded
 * database.
 */
export async function databaseFindings(config: DatabaseConfig): Promise<DatabaseFindings> {
  let findings = withoutDatabase([]);
  const problems = await runCheck(async () => {
    findings = await examineDatabase(config);
    return [];
  });
  return problems.length ? withoutDatabase(problems) : findings;
}
