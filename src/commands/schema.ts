import { mkdir, writeFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import { emit } from './emit.js';
import { refusedChanges } from './policy-for-change.js';
import { isReleased, schemaBefore } from './schema-before.js';

/**
 * Writes schema/: `npm run schema`. What clients may use goes only after the day that its `@deprecated` names; before the first release,
 * the major version 1, and only then, `-- --accept-breaking` lets it go at once.
 */
const files = emit();
const before = await schemaBefore('.');
const after = files.get('schema.graphql') ?? '';
const today = new Date().toISOString().slice(0, 10);
const refused = before === null ? [] : await refusedChanges(buildSchema(before), buildSchema(after), today);
const isAccepted = process.argv.includes('--accept-breaking') && !(await isReleased('.'));
if (refused.length && !isAccepted) {
  console.error(
    'These changes break clients. Deprecate what goes, with a reason such as "Use `title`. Goes on 2027-06-01.", until that',
  );
  console.error('day; before the first release npm run schema -- --accept-breaking says that they are meant:');
  for (const message of refused) console.error(`  ${message}`);
  process.exitCode = 1;
} else {
  await mkdir('schema', { recursive: true });
  for (const [name, text] of files) await writeFile(`schema/${name}`, text);
  console.log(`schema/: ${files.size} files`);
}
