import type { Resolve } from '../declare/generated.js';
import { type FieldMeta, metaOf, type Named, type RecordClass } from '../declare/meta.js';
import { guard } from '../declare/policy.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { constantRows } from '../read/constant-rows.js';
import { rowWithName } from '../read/rows-by-name.js';
import { querySelection } from '../read/select.js';

type Rows = ReadonlyMap<unknown, Row>;

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
      const parent = holder && around && within ? rowWithName(around, holder.by, row[within.field]) : null;
      return rowWithName(inner, by, value, parent && within ? { key: within.key, id: parent.id } : undefined);
    };
    if (!(rows instanceof Promise) && !(outer instanceof Promise)) return find(rows, outer);
    return Promise.all([rows, outer]).then(([inner, around]) => find(inner, around));
  };
}
