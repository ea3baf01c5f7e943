import { mkdir, writeFile } from 'node:fs/promises';
import { buildSchema } from 'graphql';
import type { Command } from '../process/command.js';
import { StartProblem } from '../process/start-problem.js';
import { forbiddenChanges } from './breaking-changes.js';
import { emit, supergraphOf } from './emit.js';
import { isReleased, schemaBefore } from './schema-before.js';
import { schemaOptions, schemaUsage } from './schema-options.js';

/** Writes the files of `schema/`. Throws if a change breaks clients before the removal date of the changed element. */
async function write(acceptsBreaking: boolean): Promise<void> {
  const files = emit();
  const previousSdl = await schemaBefore('.');
  const currentSdl = files.get('schema.graphql') ?? '';
  const today = new Date().toISOString().slice(0, 10);
  const forbiddenRemovals =
    previousSdl === null ? [] : await forbiddenChanges(buildSchema(previousSdl), buildSchema(currentSdl), today);
  if (forbiddenRemovals.length && !(acceptsBreaking && !(await isReleased('.'))))
    throw new StartProblem(
      'These changes break clients:',
      ...forbiddenRemovals.map((message) => `  ${message}`),
      'Deprecate the removed parts until a date, for example with the reason "Use `title`. Removed on or after 2027-06-01."',
      'Before version 1.0.0, you can allow the changes with: npm run schema -- --accept-breaking',
    );
  await mkdir('schema', { recursive: true });
  for (const [name, text] of files) await writeFile(`schema/${name}`, text);
  console.log(`Wrote ${files.size} files to schema/.`);
}

export const command: Command = {
  usage: schemaUsage,
  async run(args) {
    const { printOptions, acceptsBreaking } = schemaOptions(args);
    if (printOptions) process.stdout.write(supergraphOf(printOptions));
    else await write(acceptsBreaking);
    return 0;
  },
};
