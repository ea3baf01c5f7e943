import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { disposable, startEmbedded } from '../database/embedded.js';
import { migrate } from '../database/migrate.js';
import { openOrm } from '../database/orm.js';
import { optionsOf } from '../kernel/declare/record.js';
import { modules } from '../modules/index.js';

/**
 * Writes the migration that brings the tables of one module, or of all, to what their records declare:
 * `npm run migration -- tournaments`. Read it before it is committed.
 */
const [only] = process.argv.slice(2);
if (only && !modules.some(({ name }) => name === only)) throw new Error(`no module ${only}`);
const directory = await mkdtemp(join(tmpdir(), 'courtside-migration-'));
const postgres = await startEmbedded(directory, { settings: disposable });
const orm = await openOrm({ url: postgres.url });
const tables = modules.filter(({ name }) => name === only).flatMap(({ records }) => records.map((cls) => optionsOf(cls).table));
const isAsked = (statement: string) => !only || tables.some((table) => new RegExp(`\\b${table}(?:_\\w+)?\\b`).test(statement));
try {
  await migrate(orm);
  const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false, safe: true });
  const statements = sql
    .split(/;\n/)
    .map((statement) => statement.replaceAll('\n', ' ').trim())
    .filter((statement) => statement && !/folded|^set names/.test(statement) && isAsked(statement));
  const index = await readFile('migrations/index.ts', 'utf8');
  // Numbers that were given and not used stay unused.
  const last = Math.max(...[...index.matchAll(/'\.\/(\d+)-/g)].map(([, found]) => Number(found)));
  const number = String(last + 1).padStart(4, '0');
  const topic = only ?? 'records';
  const name = `Migration${number}${topic.charAt(0).toUpperCase()}${topic.slice(1)}`;
  if (statements.length === 0) console.log('nothing to change');
  else {
    const lines = statements.map((statement) => `    this.addSql(\`${statement}\`);`).join('\n');
    await writeFile(
      `migrations/${number}-${topic}.ts`,
      `import { Migration } from '@mikro-orm/migrations';\n\nexport class ${name} extends Migration {\n  override up(): void {\n${lines}\n  }\n}\n`,
    );
    const listed = index
      .replace(/(\n\n\/\*\*)/, `\nimport { ${name} } from './${number}-${topic}.js';$1`)
      .replace(/\n\];\s*$/, `\n  ${name},\n];\n`);
    await writeFile('migrations/index.ts', listed);
    console.log(
      `migrations/${number}-${topic}.ts: ${statements.length === 1 ? 'a statement' : `${statements.length} statements`}`,
    );
  }
} finally {
  await orm.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}
