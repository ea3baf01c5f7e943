/** Writes the reference data that is generated from packages. Run it after package updates, and once a year for the clock changes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { nodeProblem } from '../../../process/node-version.js';

const problem = nodeProblem();
if (problem) {
  console.error(problem);
  process.exit(1);
}

// These modules are imported after the version check, because older Node.js versions cannot load their files.
const { z } = await import('zod');
const { generatedLookups } = await import('./lookups.js');

const file = (lookup: string) => `src/modules/reference/data/${lookup}.json`;
const rowsOf = (lookup: string): unknown => JSON.parse(readFileSync(file(lookup), 'utf8'));
const assignedIds = {
  states: z.array(z.object({ id: z.string(), code: z.string() })).parse(rowsOf('states')),
  timezones: z.array(z.object({ id: z.string(), ianaName: z.string() })).parse(rowsOf('timezones')),
};

for (const [lookup, rows] of Object.entries(generatedLookups(assignedIds, new Date().getUTCFullYear()))) {
  // One row per line, so that diffs show only the changed rows.
  writeFileSync(file(lookup), `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`);
  console.log(`${lookup}: ${rows.length}`);
}
