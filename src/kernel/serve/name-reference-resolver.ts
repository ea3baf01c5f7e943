import type { Resolve } from '../declare/fields/generated.js';
import { type FieldMeta, metaOf, type NameReference, type RecordClass } from '../declare/meta.js';
import { guard } from '../declare/policy/policy.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { constantRows } from '../read/constant-rows.js';
import { rowWithName } from '../read/rows-by-name.js';
import { querySelection } from '../read/select.js';

type Rows = ReadonlyMap<unknown, Row>;

/** Returns the resolver of the record with a stored name. Names of constant records match in any letter case. Other names must match exactly. */
export function nameReferenceResolver(cls: RecordClass, { name }: FieldMeta, reference: NameReference): Resolve {
  const { columns, parent: parentKeys } = reference;
  const target = reference.target();
  const { constant, read } = optionsOf(target);
  const parentReference = parentKeys && metaOf(cls).fields.get(parentKeys.field)?.nameReference;
  return (source, _, context, info) => {
    const row = source as Row;
    const value = row[name];
    if (value === null || value === undefined || value === '') return null;
    guard(read, context.caller);
    if (!constant) return context.loaders.loadRow(target, querySelection(target, info), String(value), columns[0]);
    const rows = constantRows(context.sql, target);
    const parentRows = parentReference ? constantRows(context.sql, parentReference.target()) : null;
    const findRow = (targetRows: Rows, parents: Rows | null): Row | null => {
      const parent =
        parentReference && parents && parentKeys ? rowWithName(parents, parentReference.columns, row[parentKeys.field]) : null;
      return rowWithName(targetRows, columns, value, parent && parentKeys ? { key: parentKeys.key, id: parent.id } : undefined);
    };
    if (!(rows instanceof Promise) && !(parentRows instanceof Promise)) return findRow(rows, parentRows);
    return Promise.all([rows, parentRows]).then(([targetRows, parents]) => findRow(targetRows, parents));
  };
}
