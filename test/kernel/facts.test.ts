import { join } from 'node:path';
import type { OperationNode } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { type StatementFacts, statementFactsOf } from '../../src/kernel/facts.js';
import { Session } from '../../src/kernel/session.js';
import { goldenName, goldenNames, play, readGolden } from '../support/checks/golden.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { runStaticStatements } from './static-statements.js';

interface ObservedFacts extends StatementFacts {
  /** Whether the facts belong to this exact SQL text. Other facts may include tables that only a variant of the statement reads. */
  readonly isText: boolean;
}

let app: TestApp;
let client: Client;
const factsByStatement = new Map<string, ObservedFacts>();

/** Collects the facts of all statements that recorded `/v1` requests run, and of all static statements. */
beforeAll(async () => {
  app = await startApp();
  client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  // The statement that deletes old audit entries reads this setting.
  await client.query(`set courtside.audit_until = '2026-01-01'`);
  const rows = vi.spyOn(Session.prototype, 'rows');
  const compiled = vi.spyOn(Session.prototype, 'statement');
  const typed = vi.spyOn(Session.prototype, 'run');
  const [user, admin] = [await app.person(), await app.person({ isSuperAdmin: true })];
  const tokens = { ...app.platform, user: user.user, admin: admin.user };
  const host = { url: app.origin, tokens, ids: { user: user.id, admin: admin.id } };
  const directory = join(import.meta.dirname, '../compat/golden');
  const operationNames = new Set(entriesOf(legacyRoutes).map(({ method, path }) => goldenName(method, path)));
  const operationOf = (name: string) => (operationNames.has(name) ? name : name.slice(0, name.lastIndexOf('.')));
  for (const name of goldenNames(directory).filter((each) => operationNames.has(operationOf(each))))
    await play(readGolden(directory, name), host);
  await runStaticStatements(new Session(app.resources.pools, 'write'), app.resources);
  for (const [sql] of rows.mock.calls) if (typeof sql !== 'string') factsByStatement.set(sql.text, { ...sql, isText: true });
  for (const [{ text, kind, readTables, writtenTables, otherDependency }] of compiled.mock.calls)
    factsByStatement.set(text, { kind, readTables, writtenTables, otherDependency, isText: false });
  for (const [statement] of typed.mock.calls) {
    const { sql, query } = statement.compile();
    factsByStatement.set(sql, { ...statementFactsOf(query as OperationNode), isText: false });
  }
  for (const spy of [rows, compiled, typed]) spy.mockRestore();
}, 600_000);
afterAll(async () => {
  await client.end();
  await app.close();
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Schema?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/**
 * Returns the tables in the plan of a statement and the tables that PostgreSQL locks for it. The locks also include tables that the plan
 * omits.
 */
async function explain(text: string): Promise<{ planned: string[]; reads: string[]; writes: string[] }> {
  await client.query('begin');
  try {
    const { rows } = await client.query(`explain (generic_plan, verbose, format json) ${text}`);
    const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan as Plan));
    const planned = nodes.flatMap((node) => (node.Schema === 'public' && node['Relation Name'] ? [node['Relation Name']] : []));
    const { rows: locks } = await client.query(
      `select c.relname as name, l.mode from pg_locks l join pg_class c on c.oid = l.relation
       where l.pid = pg_backend_pid() and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`,
    );
    const tablesLockedIn = (modes: readonly string[]) =>
      locks.flatMap(({ name, mode }) => (modes.includes(mode) ? [name as string] : []));
    return { planned, reads: tablesLockedIn(['AccessShareLock', 'RowShareLock']), writes: tablesLockedIn(['RowExclusiveLock']) };
  } finally {
    await client.query('rollback');
  }
}

/** Whether `explain` does not support the statement. */
const isUtility = (text: string) => /^\s*(?:set|analyze)\b/i.test(text);

/** Tables that statements read through SQL functions. */
const readByFunctions = ['time_zone', 'tournament_word'];

test('the declared facts of every statement match its PostgreSQL plan and locks', async () => {
  const wrong: object[] = [];
  for (const [text, { kind, readTables, writtenTables, isText }] of factsByStatement) {
    if (isUtility(text)) continue;
    const plan = await explain(text).catch((error: Error) => error);
    if (plan instanceof Error) {
      wrong.push({ text, error: plan.message });
      continue;
    }
    const all = new Set([...readTables, ...writtenTables]);
    const differences = {
      unstated: [...plan.reads, ...plan.planned].filter((table) => !all.has(table)),
      unread: isText ? readTables.filter((table) => ![...plan.reads, ...readByFunctions].includes(table)) : [],
      writes:
        [...new Set(plan.writes)].sort().join() === [...new Set(writtenTables)].sort().join() ? [] : [plan.writes, writtenTables],
      kind: (kind === 'write') === plan.writes.length > 0 ? [] : [kind],
    };
    if (Object.values(differences).some((each) => each.length > 0)) wrong.push({ text, ...differences });
  }
  expect(wrong).toEqual([]);
  expect(factsByStatement.size).toBeGreaterThan(300);
});

/** Matches SQL that depends on data other than table rows: the time, random values, settings, system catalogs, and `updated_at`. */
const beyondRows =
  /\b(?:now|today|tomorrow|yesterday|timeofday|random|setseed|current_\w+|localtime\w*|\w+_timestamp|gen_random_uuid|uuidv\d|nextval|lastval|set_config|information_schema|pg_\w+|age(?=\s*\()|updated_at|time_zone_or_utc)\b/;

test('a read that depends on more than rows declares the reason in otherDependency', () => {
  const unstated = [...factsByStatement].flatMap(([text, { kind, otherDependency }]) =>
    kind === 'read' && otherDependency === null && beyondRows.test(text.toLowerCase()) ? [text] : [],
  );
  expect(unstated).toEqual([]);
});
