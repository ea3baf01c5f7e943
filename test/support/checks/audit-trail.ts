import { auditedTables } from '../../../src/kernel/audit.js';
import { optionsOf } from '../../../src/kernel/declare/record.js';
import { modules } from '../../../src/modules/index.js';
import type { TestApp, Tokens } from '../servers/app.js';

export const auditedRecords = modules.flatMap(({ records }) => records).filter((cls) => optionsOf(cls).audited);

/** Returns all rows of the audited tables as text, keyed by name, such as `Payment p1`. */
async function rowsOf({ sql }: TestApp): Promise<Map<string, string>> {
  const all = auditedRecords.map((cls) => `select '${cls.name} ' || id as name, t::text as row from ${optionsOf(cls).table} t`);
  return new Map((await sql.rows<{ name: string; row: string }>(all.join(' union all '))).map(({ name, row }) => [name, row]));
}

/** Returns the changes between two snapshots of the tables, such as `CHANGED Payment p1`. */
function changesOf(before: Map<string, string>, after: Map<string, string>): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names
    .flatMap((name) => {
      const action = !before.has(name) ? 'CREATED' : !after.has(name) ? 'DELETED' : 'CHANGED';
      return before.get(name) === after.get(name) ? [] : [`${action} ${name}`];
    })
    .sort();
}

export interface AuditedOperation {
  operation: string;
  tokens: Tokens | undefined;
  /** Changes of rows in the audited tables. */
  changes: string[];
  /** Changes that the audit entries describe. */
  entries: string[];
  /** Actors according to the audit entries. */
  actors: string[];
}

/** Wraps the app so that it records the changed audited rows and the audit entries of each operation. */
export function withAuditRecording(app: TestApp): { app: TestApp; operations: AuditedOperation[] } {
  if (auditedTables().length === 0) throw new Error('nothing is audited');
  const operations: AuditedOperation[] = [];
  const recordOperation = async <T>(operation: string, tokens: Tokens | undefined, work: () => Promise<T>): Promise<T> => {
    const before = await rowsOf(app);
    const [startTime] = await app.sql.rows('select clock_timestamp() as at');
    const answer = await work();
    const entryRows = await app.sql.rows<{ entry: string; actor: string }>(
      `select action || ' ' || record_type || ' ' || record_key as entry,
         concat_ws(' ', source, 'user', coalesce(user_id, '-'), 'platform', coalesce(platform_id, '-'), 'key', coalesce(key_id, '-'), address) as actor
       from audit_entry where created_at > $1 and action in ('CREATED', 'CHANGED', 'DELETED') and record_type = any($2) order by 1`,
      [startTime?.at, auditedRecords.map(({ name }) => name)],
    );
    const entries = entryRows.map(({ entry }) => entry).sort();
    const actors = [...new Set(entryRows.map(({ actor }) => actor))];
    operations.push({ operation, tokens, changes: changesOf(before, await rowsOf(app)), entries, actors });
    return answer;
  };
  return {
    operations,
    app: {
      ...app,
      graphql: (query, variables, tokens) =>
        /^\s*mutation/.test(query)
          ? recordOperation(query, tokens, () => app.graphql(query, variables, tokens))
          : app.graphql(query, variables, tokens),
      rest: (method, path, tokens, body) =>
        method === 'GET'
          ? app.rest(method, path, tokens, body)
          : recordOperation(`${method} ${path}`, tokens, () => app.rest(method, path, tokens, body)),
    },
  };
}
