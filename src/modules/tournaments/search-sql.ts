import { inNfc } from '../../kernel/declare/nfc.js';
import type { Condition } from '../../kernel/declare/options.js';
import { checkSearch } from '../../kernel/read/operators.js';
import type { Param } from '../../kernel/session.js';

/** SQL: titles that hold the words, or nearly; those that hold them come first. */
export function searching(given: string, param: Param, path: string): Condition {
  checkSearch(path, given, 200);
  const words = inNfc(given);
  const title = 'folded(nfc(r.title))';
  const asked = `folded(${param(words)}::text)`;
  const part = `folded(${param(`%${words.replace(/[\\%_]/g, '\\$&')}%`)}::text)`;
  return {
    where: `(${title} like ${part} or ${asked} <% ${title})`,
    rank: () =>
      `(case when ${title} like ${part} then 0 else 2 - word_similarity(${asked}, ${title}) - similarity(${asked}, ${title}) / 10 end)::float8`,
  };
}
