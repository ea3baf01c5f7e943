import type { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../migrations/index.js';
import { loadConfig } from '../config/index.js';
import { checkDatabase } from '../database/check-database.js';
import { runningEmbeddedUrl } from '../database/embedded-server.js';
import { grantStatements } from '../database/grants-sql.js';
import { jobQueue, migrate, pendingMigrations } from '../database/migrate.js';
import { defaultBatchSize, type MigrationStep, stepsOf } from '../database/migration-steps.js';
import { openOrm } from '../database/orm.js';
import type { MigrationEvent } from '../database/run-migrations.js';
import { batchStatement, indexStatement } from '../database/run-step-sql.js';
import { Pools, Session } from '../kernel/session.js';
import { queueMigrationSql } from '../messaging/migrate-queue.js';
import { queueVersion } from '../messaging/queue-version-sql.js';
import { type Command, parseArguments, UsageError } from '../process/command.js';
import { StartProblem } from '../process/start-problem.js';
import { fillDatabase } from '../server/lifecycle/fill.js';
import { openEmbedded } from '../server/lifecycle/open-database.js';
import { OpenResources } from '../server/lifecycle/open-resources.js';

const usage = `Usage: courtside migrate [--plan] [--to <number>] [--grants <role>]

Prepares the database for this release: runs the pending migrations, creates the tables of the job queue, loads the lookup data, and creates
the accounts in BOOTSTRAP_*. The database is DATABASE_URL, or else the embedded database. The user in DATABASE_URL must own the tables. The
service can run at the same time.

Options:
  --plan           Print the pending migrations with their SQL. Changes nothing.
  --to <number>    Stop after this migration, such as 18. Skips the steps that follow the migrations.
  --grants <role>  Grant an existing role the rights that the service needs. The role can then be the user of the service, with
                   MIGRATE=false. With --plan, print the statements.

Examples:
  courtside migrate --plan
  DATABASE_URL=postgresql://owner:…@db.example.com/courtside courtside migrate --grants courtside_service

Exit codes: 0 for success, 1 for an error, 2 for invalid arguments.`;

type Print = (line: string) => void;

const options = { plan: { type: 'boolean' }, to: { type: 'string' }, grants: { type: 'string' } } as const;

/** Returns the number of a migration, which is the first number in its name. */
const numberOf = (name: string): number => Number(/\d+/.exec(name)?.[0]);

/** Returns the name of the migration that `--to` selects. Throws an error if no migration matches, or if later migrations have run. */
function lastMigration(to: string, pending: readonly string[]): string {
  const names = migrations.map(({ name }) => name);
  const last = /^\d+$/.test(to) ? names.find((name) => numberOf(name) === Number(to)) : undefined;
  if (last === undefined)
    throw new UsageError(
      `--to: expected the number of a migration, from ${numberOf(names[0] ?? '')} to ${numberOf(names.at(-1) ?? '')}, but got ${JSON.stringify(to)}.`,
    );
  const later = names.filter((name) => numberOf(name) > Number(to) && !pending.includes(name)).at(-1);
  if (later !== undefined)
    throw new StartProblem(
      `--to ${to}: the later migration ${later} has already run, and migrations cannot be undone. To go back, restore a backup.`,
    );
  return last;
}

/** Returns the SQL of a step, with a comment about how the step runs. */
function sqlOf(step: MigrationStep): string[] {
  if ('statements' in step) return ['begin;', ...step.statements.map(terminated), 'commit;'];
  if ('index' in step) return ['-- without a transaction', terminated(indexStatement(step))];
  return [`-- repeated for each batch of ${step.batchSize ?? defaultBatchSize} rows`, terminated(batchStatement(step))];
}

const terminated = (statement: string): string => `${statement.trim().replace(/;$/, '')};`;

/** Prints the pending migrations with their SQL. */
async function printPlan(orm: MikroORM, names: readonly string[], print: Print): Promise<void> {
  for (const Migration of migrations.filter(({ name }) => names.includes(name))) {
    const steps = await stepsOf(new Migration(orm.em.getDriver(), orm.config));
    for (const [index, step] of steps.entries()) {
      print(`-- ${Migration.name}${steps.length > 1 ? `, step ${index + 1} of ${steps.length}` : ''}`);
      for (const line of sqlOf(step)) print(line);
      print('');
    }
  }
  if (names.includes(jobQueue)) {
    print(`-- ${jobQueue}`);
    print(queueMigrationSql(await queueVersion(new Session(new Pools(orm), 'write'))).trim());
    print('');
  }
}

/** Prints a line when a migration starts, waits or finishes. */
function printEvent({ state, migration, step, stepCount, seconds }: MigrationEvent, print: Print): void {
  const position = stepCount > 1 && state !== 'finished' ? ` (step ${step} of ${stepCount})` : '';
  if (state === 'finished') print(`${migration}: finished in ${seconds.toFixed(1)} s`);
  else print(`${migration}${position}: ${state === 'step' ? 'started' : state}`);
}

/** Throws a StartProblem if the role for `--grants` does not exist. */
async function checkRole(orm: MikroORM, role: string): Promise<void> {
  const rows = await orm.em.fork().execute('select from pg_roles where rolname = ?', [role]);
  if (rows.length === 0)
    throw new StartProblem(`--grants: the role ${role} does not exist: create it with "create role", and run the command again.`);
}

const grant = (orm: MikroORM, role: string): Promise<void> =>
  orm.em.fork().transactional(async (em) => {
    for (const statement of grantStatements(role)) await em.execute(statement);
  });

/** Returns the URL of the database. Starts the embedded database if it is not running. */
async function urlOf(config: ReturnType<typeof loadConfig>, resources: OpenResources): Promise<string> {
  if (config.databaseUrl) await checkDatabase(config.databaseUrl);
  return config.databaseUrl ?? (await runningEmbeddedUrl(config.dataDir)) ?? (await openEmbedded(config.dataDir, resources));
}

/** Runs the command and returns its exit code. */
export async function runMigrate(args: string[], print: Print): Promise<number> {
  const { plan = false, to, grants } = parseArguments({ args, options }).values;
  if (to !== undefined && grants !== undefined)
    throw new UsageError('--grants cannot be combined with --to, which skips the steps after the migrations.');
  const config = loadConfig();
  const resources = new OpenResources();
  try {
    const url = await urlOf(config, resources);
    const orm = openOrm({ url, pool: 3, isLazy: true });
    resources.add(() => orm.close(true));
    const pending = await pendingMigrations(orm);
    const last = to === undefined ? null : lastMigration(to, pending);
    const names = last === null ? pending : pending.filter((name) => name !== jobQueue && numberOf(name) <= Number(to));
    if (names.length === 0) print('No migrations are pending.');
    if (plan) {
      await printPlan(orm, names, print);
      if (grants !== undefined) for (const statement of grantStatements(grants)) print(`${statement};`);
      return 0;
    }
    if (grants !== undefined) await checkRole(orm, grants);
    await migrate(orm, undefined, { last, report: (event) => printEvent(event, print) });
    if (last !== null && pending.length > names.length) {
      print(`Stopped after ${last}. Pending: ${pending.filter((name) => !names.includes(name)).join(', ')}.`);
      return 0;
    }
    if (grants !== undefined) await grant(orm, grants);
    const { afterStart } = await fillDatabase(orm, config, print);
    await afterStart();
    print('The database is ready for this release.');
    return 0;
  } finally {
    await resources.close();
  }
}

export const command: Command = { usage, run: (args) => runMigrate(args, (line) => console.log(line)) };
