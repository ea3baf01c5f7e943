import { type AliasedRawBuilder, sql as raw } from 'kysely';
import { columnOf, metaOf, type RecordClass } from '../../kernel/meta.js';

/** The columns that a request asks of a record, by their keys: what a typed statement over its table selects or returns. */
export const selected = (cls: RecordClass, keys: readonly string[]): AliasedRawBuilder<unknown, string>[] =>
  keys.map((key) => raw.ref(columnOf(metaOf(cls), key).column).as(key));
