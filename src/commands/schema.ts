import { mkdir, writeFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import { StartProblem } from '../start-problem.js';
import { emit, supergraphOf } from './emit.js';
import { refusedChanges } from './policy-for-change.js';
import { isReleased, schemaBefore } from './schema-before.js';
import { schemaOptions } from './schema-options.js';

/**
 * Writes schema/: `npm run schema`. What clients may use goes only after the day that its `@deprecated` names; before the first release,
 * the major version 1, and only then, `-- --accept-breaking` lets it go at once.
 */
async function write(acceptsBreaking: boolean): Promise<void> {
  const files = emit();
  const before = await schemaBefore('.');
  const after = files.get('schema.graphql') ?? '';
  const today = new Date().toISOString().slice(0, 10);
  const refused = before === null ? [] : await refusedChanges(buildSchema(before), buildSchema(after), today);
  if (refused.length && !(acceptsBreaking && !(await isReleased('.'))))
    throw new StartProblem(
      'These changes break clients. Deprecate what goes, with a reason such as "Use `title`. Goes on 2027-06-01.", until that',
      'day; before the first release npm run schema -- --accept-breaking says that they are meant:',
      ...refused.map((message) => `  ${message}`),
    );
  await mkdir('schema', { recursive: true });
  for (const [name, text] of files) await writeFile(`schema/${name}`, text);
  console.log(`schema/: ${files.size} files`);
}

try {
  const { printed, acceptsBreaking } = schemaOptions(process.argv.slice(2));
  if (printed) process.stdout.write(supergraphOf(printed));
  else await write(acceptsBreaking);
} catch (error) {
  if (!(error instanceof StartProblem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
