import type { Resolve } from '../declare/generated.js';
import { type FieldMeta, metaOf, type Named, type RecordClass } from '../declare/meta.js';
import { toNfc } from '../declare/nfc.js';
import { guard } from '../declare/policy.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { constantRows } from '../read/constant-rows.js';
import { querySelection } from '../read/select.js';

type Rows = ReadonlyMap<unknown, Row>;

const called = (name: unknown): string => toNfc(String(name)).toLowerCase();
const indexes = new WeakMap<Rows, Map<string, ReadonlyMap<string, readonly Row[]>>>();

/** Rows of a constant record by the values of the columns `by`. Cached. */
function indexOf(rows: Rows, by: readonly string[]): ReadonlyMap<string, readonly Row[]> {
  const made = indexes.get(rows) ?? new Map<string, ReadonlyMap<string, readonly Row[]>>();
  indexes.set(rows, made);
  const known = made.get(by.join());
  if (known) return known;
  const index = new Map<string, Row[]>();
  for (const row of rows.values())
    for (const name of new Set(by.flatMap((key) => (row[key] === null ? [] : [called(row[key])]))))
      index.set(name, [...(index.get(name) ?? []), row]);
  made.set(by.join(), index);
  return index;
}

/** The only row with a name, among the rows of a parent if `within` is given. Null if there are none or several. */
function only(rows: Rows, by: readonly string[], name: unknown, within?: { key: string; id: unknown }): Row | null {
  const found = indexOf(rows, by).get(called(name)) ?? [];
  const inside = within ? found.filter((row) => row[within.key] === within.id) : found;
  return inside.length === 1 ? (inside[0] ?? null) : null;
}

/** Resolver for the record that a value names. Constant records are read from memory, in any letter case. Other names must match exactly. */
export function namedResolver(cls: RecordClass, { name }: FieldMeta, { target: of, by, within }: Named): Resolve {
  const target = of();
  const { constant, read } = optionsOf(target);
  const holder = within && metaOf(cls).fields.get(within.field)?.named;
  return (source, _, context, info) => {
    const row = source as Row;
    const value = row[name];
    if (value === null || value === undefined || value === '') return null;
    guard(read, context.caller);
    if (!constant) return context.loaders.one(target, querySelection(target, info), String(value), by[0]);
    const rows = constantRows(context.sql, target);
    const outer = holder ? constantRows(context.sql, holder.target()) : null;
    const find = (inner: Rows, around: Rows | null): Row | null => {
      const there = holder && around && within ? only(around, holder.by, row[within.field]) : null;
      return only(inner, by, value, there && within ? { key: within.key, id: there.id } : undefined);
    };
    if (!(rows instanceof Promise) && !(outer instanceof Promise)) return find(rows, outer);
    return Promise.all([rows, outer]).then(([inner, around]) => find(inner, around));
  };
}
