import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { generatedLookups } from './lookups.js';

const usage = `Usage: npm run reference

Writes the reference data that is generated from packages. Run it after package updates, and once a year to update the clock changes.

Example:
  npm run reference`;

const file = (lookup: string) => `src/modules/reference/data/${lookup}.json`;
const rowsOf = (lookup: string): unknown => JSON.parse(readFileSync(file(lookup), 'utf8'));

async function run(): Promise<number> {
  const assignedIds = {
    states: z.array(z.object({ id: z.string(), code: z.string() })).parse(rowsOf('states')),
    timezones: z.array(z.object({ id: z.string(), ianaName: z.string() })).parse(rowsOf('timezones')),
  };
  for (const [lookup, rows] of Object.entries(generatedLookups(assignedIds, new Date().getUTCFullYear()))) {
    // One row per line, so that diffs show only the changed rows.
    writeFileSync(file(lookup), `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`);
    console.log(`${lookup}: ${rows.length}`);
  }
  return 0;
}

/** Command that writes the reference data. */
export const command = { usage, run };
