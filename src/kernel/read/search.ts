import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import { inNfc } from '../declare/nfc.js';
import type { Condition, CustomFilter } from '../declare/options.js';
import type { Param } from '../declare/row.js';
import { checkSearch } from './operators.js';

/** Most characters of the words. */
const most = 200;

/** SQL of a row's name as it is searched; the index holds this very text. */
export function searchedName(cls: RecordClass, names: readonly string[], row = ''): string {
  const columns = names.map((key) => row + columnOf(metaOf(cls), key).column);
  const name = columns.length > 1 ? columns.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `) : columns.join();
  return `folded(nfc(${name}))`;
}

/** SQL: rows whose name holds the words, or nearly; those that hold them come first. */
export function searching(name: string, given: string, param: Param, path: string): Condition {
  checkSearch(path, given, most);
  const words = inNfc(given);
  const asked = `folded(${param(words)}::text)`;
  const part = `folded(${param(`%${words.replace(/[\\%_]/g, '\\$&')}%`)}::text)`;
  return {
    where: `(${name} like ${part} or ${asked} <% ${name})`,
    branches: [{ where: `${name} like ${part}`, rank: 0 }, { where: `not ${name} like ${part} and ${asked} <% ${name}` }],
    rank: () =>
      `(case when ${name} like ${part} then 0 else 2 - word_similarity(${asked}, ${name}) - similarity(${asked}, ${name}) / 10 end)::float8`,
  };
}

/** The filter of a record whose rows have names. */
export const searchOf = (cls: RecordClass, names: readonly string[]): CustomFilter => ({
  type: () => String,
  description: `Words of the ${names.length > 1 ? 'name' : names.join()}, in any case, with or without accents, small misspellings allowed; exact hits come first. At most ${most} characters.`,
  sql: (given: string, param, _, path) => searching(searchedName(cls, names, 'r.'), given, param, path),
});
