import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
import { emit } from './emit.js';

/** Writes schema/: `npm run schema`; a change that breaks clients needs `-- --accept-breaking`. */
const files = emit();
const before = await readFile('schema/schema.graphql', 'utf8').catch(() => null);
const after = files.get('schema.graphql') ?? '';
const changes = before === null ? [] : await diff(buildSchema(before), buildSchema(after));
const breaking = changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking);
if (breaking.length && !process.argv.includes('--accept-breaking')) {
  console.error(`These changes break clients; run npm run schema -- --accept-breaking to say that they are meant:`);
  for (const { message } of breaking) console.error(`  ${message}`);
  process.exitCode = 1;
} else {
  await mkdir('schema', { recursive: true });
  for (const [name, text] of files) await writeFile(`schema/${name}`, text);
  console.log(`schema/: ${files.size} files`);
}
