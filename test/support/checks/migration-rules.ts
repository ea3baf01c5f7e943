import type { MigrationClass } from '../../../migrations/index.js';
import { SteppedMigration, stepsOf } from '../../../src/database/migration-steps.js';
import { optionsOf } from '../../../src/kernel/declare/record.js';
import { reference } from '../../../src/modules/reference/index.js';

/** Tables with few rows, which a migration can change in one transaction. All other tables grow as the service is used. */
const smallTables: ReadonlySet<string> = new Set([
  ...reference.records.map((cls) => optionsOf(cls).table),
  ...[
    'platform',
    'publishable_key',
    'webhook',
    'webhook_position',
    'deprecation',
    'news_outlet',
    'discount_code',
    'merchant_link',
  ],
  ...['cache_version', 'change_log', 'mikro_orm_migrations', 'executed_migration'],
]);

const name = '"?(\\w+)"?';

/** Changes of a table that would block it for too long in a transaction, each with the problem and its solution. */
const slowChanges: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [new RegExp(`create (?:unique )?index (?:if not exists )?${name} on ${name}`, 'g'), 'builds an index: use an index step'],
  [new RegExp(`(?:update|delete from) ()${name} (?:set|where)`, 'g'), 'writes all rows at once: use a backfill step'],
  [
    new RegExp(`alter table ()${name}[^;]* add (?:constraint \\w+ )?(?:unique|primary key|exclude) \\(`, 'g'),
    'builds an index: use an index step, then "unique using index"',
  ],
  [
    new RegExp(`alter table ()${name}[^;]* add (?:constraint \\w+ )?(?:check|foreign key)(?![^;]*not valid)`, 'g'),
    'checks all rows: add the constraint as "not valid"',
  ],
  [
    new RegExp(`alter table ()${name}[^;]* alter (?:column )?\\w+ (?:set data )?type`, 'g'),
    'rewrites the table: add and fill another column',
  ],
];

/** Removes function bodies and comments, which a migration does not run. */
const executedSql = (sql: string): string =>
  sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '')
    .replace(/--.*$/gm, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

/** Returns the parts of a migration that could block requests for more than a second. Empty if there are no such parts. */
export async function migrationProblems(Migration: MigrationClass): Promise<string[]> {
  const migration = new Migration({} as never, {} as never);
  const steps = (await stepsOf(migration)).map((step) => ('statements' in step ? executedSql(step.statements.join(';')) : ''));
  const newTables = new Set(
    steps.flatMap((sql) => [...sql.matchAll(/create (?:unlogged )?table (?:if not exists )?"?(\w+)/g)].map(([, table]) => table)),
  );
  const isLarge = (table = '') => !smallTables.has(table) && !newTables.has(table);
  const problems: string[] = [];
  for (const [index, sql] of steps.entries()) {
    const add = (table: string, problem: string) => problems.push(`${Migration.name}, step ${index + 1}: ${table} ${problem}`);
    for (const [pattern, problem] of slowChanges)
      for (const [, , table = ''] of sql.matchAll(pattern)) if (isLarge(table)) add(table, problem);
    for (const [text, table = ''] of sql.matchAll(new RegExp(`alter table (?:only )?${name}[^;]*`, 'g'))) {
      if (!isLarge(table)) continue;
      if (!(migration instanceof SteppedMigration)) add(table, 'is large: extend SteppedMigration and state the steps');
      const isValidated = steps
        .slice(0, index + 1)
        .some((earlier) => new RegExp(`alter table "?${table}"? validate constraint`).test(earlier));
      if (/ set not null/.test(text) && !isValidated) add(table, 'checks all rows: validate a check constraint first');
      if (/ not valid/.test(text) && sql.includes('validate constraint'))
        add(table, 'holds an exclusive lock: validate in a later step');
    }
  }
  return problems;
}
