import { join } from 'node:path';
import type { OperationNode } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { type Facts, factsOf } from '../../src/kernel/facts.js';
import { Session } from '../../src/kernel/session.js';
import { goldenName, goldenNames, play, readGolden } from '../support/checks/golden.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { runStaticStatements } from './static-statements.js';

interface Stated extends Facts {
  /** The facts stand beside the text, so that they name exactly what it reads. Others may name what a variant of the statement reads. */
  readonly isText: boolean;
}

let app: TestApp;
let client: Client;
const stated = new Map<string, Stated>();

/** Collects statements with their facts: those of all recorded requests of `/v1`, and those that are kept as text. */
beforeAll(async () => {
  app = await startApp();
  client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  // The statement that deletes old audit entries reads it.
  await client.query(`set courtside.audit_until = '2026-01-01'`);
  const rows = vi.spyOn(Session.prototype, 'rows');
  const compiled = vi.spyOn(Session.prototype, 'statement');
  const typed = vi.spyOn(Session.prototype, 'run');
  const [user, admin] = [await app.person(), await app.person({ isSuperAdmin: true })];
  const tokens = { ...app.platform, user: user.user, admin: admin.user };
  const host = { url: app.origin, tokens, ids: { user: user.id, admin: admin.id } };
  const directory = join(import.meta.dirname, '../compat/golden');
  const known = new Set(entriesOf(legacyRoutes).map(({ method, path }) => goldenName(method, path)));
  const operationOf = (name: string) => (known.has(name) ? name : name.slice(0, name.lastIndexOf('.')));
  for (const name of goldenNames(directory).filter((each) => known.has(operationOf(each))))
    await play(readGolden(directory, name), host);
  await runStaticStatements(new Session(app.resources.pools, 'write'), app.resources);
  for (const [sql] of rows.mock.calls) if (typeof sql !== 'string') stated.set(sql.text, { ...sql, isText: true });
  for (const [{ text, kind, reads, writes, volatileBy }] of compiled.mock.calls)
    stated.set(text, { kind, reads, writes, volatileBy, isText: false });
  for (const [statement] of typed.mock.calls) {
    const { sql, query } = statement.compile();
    stated.set(sql, { ...factsOf(query as OperationNode), isText: false });
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

/** What PostgreSQL says of a statement. The locks of `explain` name every table of it, also those that the plan leaves out. */
async function explained(text: string): Promise<{ planned: string[]; reads: string[]; writes: string[] }> {
  await client.query('begin');
  try {
    const { rows } = await client.query(`explain (generic_plan, verbose, format json) ${text}`);
    const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan as Plan));
    const planned = nodes.flatMap((node) => (node.Schema === 'public' && node['Relation Name'] ? [node['Relation Name']] : []));
    const { rows: locks } = await client.query(
      `select c.relname as name, l.mode from pg_locks l join pg_class c on c.oid = l.relation
       where l.pid = pg_backend_pid() and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`,
    );
    const named = (modes: readonly string[]) => locks.flatMap(({ name, mode }) => (modes.includes(mode) ? [name as string] : []));
    return { planned, reads: named(['AccessShareLock', 'RowShareLock']), writes: named(['RowExclusiveLock']) };
  } finally {
    await client.query('rollback');
  }
}

/** Statements that `explain` does not take. */
const isUtility = (text: string) => /^\s*(?:set|analyze)\b/i.test(text);

/** Tables that functions in SQL text read. */
const readByFunctions = ['time_zone', 'tournament_word'];

test('the facts of every statement are what PostgreSQL says of it', async () => {
  const wrong: object[] = [];
  for (const [text, { kind, reads, writes, isText }] of stated) {
    if (isUtility(text)) continue;
    const plan = await explained(text).catch((error: Error) => error);
    if (plan instanceof Error) {
      wrong.push({ text, error: plan.message });
      continue;
    }
    const all = new Set([...reads, ...writes]);
    const differences = {
      unstated: [...plan.reads, ...plan.planned].filter((table) => !all.has(table)),
      unread: isText ? reads.filter((table) => ![...plan.reads, ...readByFunctions].includes(table)) : [],
      writes: [...new Set(plan.writes)].sort().join() === [...new Set(writes)].sort().join() ? [] : [plan.writes, writes],
      kind: (kind === 'write') === plan.writes.length > 0 ? [] : [kind],
    };
    if (Object.values(differences).some((each) => each.length > 0)) wrong.push({ text, ...differences });
  }
  expect(wrong).toEqual([]);
  expect(stated.size).toBeGreaterThan(300);
});

/** The time and chance in SQL, settings, what PostgreSQL knows of itself, and the time of the last write. */
const beyondRows =
  /\b(?:now|today|tomorrow|yesterday|timeofday|random|setseed|current_\w+|localtime\w*|\w+_timestamp|gen_random_uuid|uuidv\d|nextval|lastval|set_config|information_schema|pg_\w+|age(?=\s*\()|updated_at|known_zone)\b/;

test('a read that depends on more than rows states it', () => {
  const unstated = [...stated].flatMap(([text, { kind, volatileBy }]) =>
    kind === 'read' && volatileBy === null && beyondRows.test(text.toLowerCase()) ? [text] : [],
  );
  expect(unstated).toEqual([]);
});
