import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { disposableSettings, startEmbedded } from '../database/embedded.js';
import { migrate } from '../database/migrate.js';
import { openOrm } from '../database/orm.js';
import { optionsOf } from '../kernel/declare/record.js';
import { modules } from '../modules/index.js';
import { type Command, parseArguments, UsageError } from '../process/command.js';
import { quantity } from '../process/quantity.js';
import { release } from '../process/release.js';

const usage = `Usage: npm run migration [-- <module>]

Writes a migration that adapts the tables of a module to the declarations of its records, and adds it to migrations/index.ts. Without a
module, the migration covers all tables. Review the file before you commit it.

Modules: ${modules.map(({ name }) => name).join(', ')}

Examples:
  npm run migration -- tournaments
  npm run migration`;

/** Returns the statements that adapt the tables of a module, or of all modules, to their records. */
async function statementsFor(module: string | undefined): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'courtside-migration-'));
  const postgres = await startEmbedded(directory, { settings: disposableSettings });
  const orm = await openOrm({ url: postgres.url });
  const tables = modules
    .filter(({ name }) => name === module)
    .flatMap(({ records }) => records.map((cls) => optionsOf(cls).table));
  const isSelected = (statement: string) =>
    !module || tables.some((table) => new RegExp(`\\b${table}(?:_\\w+)?\\b`).test(statement));
  try {
    await migrate(orm);
    const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false, safe: true });
    return sql
      .split(/;\n/)
      .map((statement) => statement.replaceAll('\n', ' ').trim())
      .filter((statement) => statement && !/unaccent_lower|^set names/.test(statement) && isSelected(statement));
  } finally {
    await orm.close();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Returns the code of the steps: one step that runs in a transaction, and one step for each index of an existing table. */
function stepLines(statements: readonly string[]): string[] {
  const newTables = statements.flatMap((statement) => /^create table "?(\w+)"?/.exec(statement)?.[1] ?? []);
  const transaction: string[] = [];
  const indexes: string[] = [];
  for (const statement of statements) {
    const [, unique, index, table = '', definition] =
      /^create (unique )?index "?(\w+)"? on "?(\w+)"? (.+)$/.exec(statement) ?? [];
    if (index === undefined || newTables.includes(table)) transaction.push(`\`${statement}\``);
    else
      indexes.push(
        `    { index: '${index}', table: '${table}', definition: \`${definition}\`${unique ? ', isUnique: true' : ''} },`,
      );
  }
  const separator = transaction.length > 1 ? '\n        ' : '';
  const end = transaction.length > 1 ? ',\n      ' : '';
  const step = `    { statements: [${separator}${transaction.join(`,${separator}`)}${end}] },`;
  return transaction.length > 0 ? [step, ...indexes] : indexes;
}

/** Writes a migration with the next number and adds it to the list of migrations. Returns its path. */
async function writeMigration(topic: string, statements: readonly string[]): Promise<string> {
  const index = await readFile('migrations/index.ts', 'utf8');
  // The new number follows the highest existing number. Gaps from deleted migrations are not filled.
  const lastNumber = Math.max(...[...index.matchAll(/'\.\/(\d+)-/g)].map(([, number]) => Number(number)));
  const number = String(lastNumber + 1).padStart(4, '0');
  const name = `Migration${number}${topic.charAt(0).toUpperCase()}${topic.slice(1)}`;
  const path = `migrations/${number}-${topic}.ts`;
  await writeFile(
    path,
    `import { SteppedMigration } from '../src/database/migration-steps.js';\n\nexport class ${name} extends SteppedMigration {\n  static readonly oldestRelease = '${release}';\n\n  readonly steps = [\n${stepLines(statements).join('\n')}\n  ];\n}\n`,
  );
  const newIndex = index
    .replace(/(\n\n\/\*\*)/, `\nimport { ${name} } from './${number}-${topic}.js';$1`)
    .replace(/\n\];\s*$/, `\n  ${name},\n];\n`);
  await writeFile('migrations/index.ts', newIndex);
  return path;
}

async function run(args: string[]): Promise<number> {
  const [module, ...rest] = parseArguments({ args, allowPositionals: true }).positionals;
  if (rest.length > 0) throw new UsageError('Expected at most one module.');
  if (module && !modules.some(({ name }) => name === module)) throw new UsageError(`Unknown module: ${module}.`);
  const statements = await statementsFor(module);
  if (statements.length === 0) {
    console.log('The tables already match the record declarations.');
    return 0;
  }
  const path = await writeMigration(module ?? 'records', statements);
  console.log(`Wrote ${path} with ${quantity(statements.length, 'statement')}.`);
  return 0;
}

export const command: Command = { usage, run };
