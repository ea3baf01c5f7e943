import { EntitySchema, type EntitySchemaMetadata } from '@mikro-orm/core';
import { type Column, columnsOf, columnTypes, metaOf, type RecordClass } from '../kernel/meta.js';
import { optionsOf } from '../kernel/record.js';

const property = ({ column, field }: Column) => ({
  type: 'any',
  columnType: columnTypes[field.kind],
  fieldName: column,
  nullable: !field.required,
  ...(field.kind === 'id' ? { primary: true } : {}),
  ...(field.default ? { defaultRaw: field.default } : {}),
  ...(field.unique ? { unique: true } : {}),
});

/** Lists are read through a foreign key or a creation time and then by id, so both stand in the index. */
function indexesOf(cls: RecordClass) {
  const { table, indexes = {}, key } = optionsOf(cls);
  const columns = [...columnsOf(metaOf(cls)).values()];
  const paired = columns
    .filter(({ field }) => field.index && !field.unique)
    .map(({ column, field }) => {
      const name = `${table}_${column}_idx`;
      const order = field.kind === 'instant' ? `${column} desc nulls last, id` : `${column}, id`;
      return {
        name,
        expression: `create index ${name} on ${table} ${field.kind === 'list' ? `using gin (${column})` : `(${order})`}`,
      };
    });
  const special = Object.entries(indexes).map(([suffix, sql]) => {
    const name = `${table}_${suffix}_idx`;
    return { name, expression: `create index ${name} on ${table} ${sql}` };
  });
  const natural = key
    ? [{ name: `${table}_key_unique`, properties: key.map((part) => columnsOf(metaOf(cls)).get(part)?.column ?? part) }]
    : [];
  return { indexes: [...paired, ...special], uniques: natural };
}

/** The ORM's view of a record, derived from its declaration: one property a column. */
export function entityOf(cls: RecordClass): EntitySchema {
  const properties = Object.fromEntries([...columnsOf(metaOf(cls)).values()].map((column) => [column.column, property(column)]));
  const { table } = optionsOf(cls);
  return new EntitySchema({
    name: cls.name,
    tableName: table,
    properties,
    ...indexesOf(cls),
  } as unknown as EntitySchemaMetadata<object>);
}
