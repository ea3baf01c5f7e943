import { ArrayType, EntitySchema, type EntitySchemaMetadata, Type } from '@mikro-orm/core';
import {
  type Column,
  columnOf,
  columnsOf,
  columnTypes,
  type FieldKind,
  type FieldMeta,
  groupOf,
  metaOf,
  type RecordClass,
  snake,
} from '../kernel/declare/meta.js';
import { optionsOf } from '../kernel/declare/record.js';
import { searchedName } from '../kernel/read/name-table.js';
import { placeIndex } from '../kernel/read/near.js';

/** Text all the way, as the driver reads it: a Date or a number would lose digits. */
class Verbatim extends Type<string, string> {
  constructor(readonly columnType: string) {
    super();
  }

  override getColumnType(): string {
    return this.columnType;
  }

  override get runtimeType(): string {
    return 'string';
  }

  override compareAsType(): string {
    return 'string';
  }
}

/** Every entry in quotes: the ORM's own lists lose the text `null`, blanks at the ends and line breaks. */
class Texts extends ArrayType {
  override convertToDatabaseValue(entries: string[] | null): string | null {
    return entries && `{${entries.map((entry) => `"${entry.replace(/["\\]/g, '\\$&')}"`).join()}}`;
  }
}

const types: Readonly<Record<Exclude<FieldKind, 'group'>, string | Verbatim | Texts>> = {
  id: 'string',
  text: 'string',
  ref: 'string',
  values: 'string',
  flag: 'boolean',
  int: 'integer',
  num: 'double',
  money: new Verbatim('numeric'),
  instant: new Verbatim('timestamptz'),
  json: 'json',
  list: new Texts(),
};

/** Foreign keys are kept as they are sent (decision 8): a relation without a constraint, and its value is the key. */
const relation = (target: () => RecordClass) => ({
  kind: 'm:1',
  entity: target,
  mapToPk: true,
  createForeignKeyConstraint: false,
  index: false,
});

function property(field: FieldMeta): object {
  if (field.kind === 'group')
    return { kind: 'embedded', entity: () => embeddableOf(field), prefix: `${snake(field.name)}_`, object: false };
  const { kind, ref } = field;
  return {
    ...(kind === 'ref' && ref ? relation(ref.target) : { type: types[kind] }),
    fieldName: snake(field.name),
    columnType: columnTypes[kind],
    nullable: !field.required,
    ...(kind === 'id' ? { primary: true } : {}),
    ...(field.default ? { defaultRaw: field.default } : {}),
    ...(field.unique ? { unique: true } : {}),
    ...(field.secret ? { hidden: true } : {}),
  };
}

/** Lists are read through a foreign key or a creation time and then by id, so both stand in the index. */
function indexOf(table: string, { column, field }: Column) {
  const name = `${table}_${column}_idx`;
  const order = field.kind === 'instant' ? `${column} desc nulls last, id` : `${column}, id`;
  return {
    name,
    expression: `create index ${name} on ${table} ${field.kind === 'list' ? `using gin (${column})` : `(${order})`}`,
  };
}

function indexesOf(cls: RecordClass) {
  const { table, indexes = {}, key, place, names, nameTable } = optionsOf(cls);
  const columns = [...columnsOf(metaOf(cls)).values()].filter(({ field }) => field.index && !field.unique);
  const found = {
    ...(place && { place: placeIndex(cls, place) }),
    ...(names && !nameTable && { [`${names.map(snake).join('_')}_search`]: `using gin (${searchedName(cls)} gin_trgm_ops)` }),
  };
  const special = Object.entries({ ...indexes, ...found }).map(([suffix, sql]) => {
    const name = `${table}_${suffix}_idx`;
    return { name, expression: `create index ${name} on ${table} ${sql}` };
  });
  return {
    indexes: [...columns.map((column) => indexOf(table, column)), ...special],
    uniques: key ? [{ name: `${table}_key_unique`, properties: key.map((part) => columnOf(metaOf(cls), part).key) }] : [],
  };
}

const made = new Map<unknown, EntitySchema>();

function schemaOf(cls: RecordClass, fields: Iterable<FieldMeta>, options: object): EntitySchema {
  const properties = Object.fromEntries([...fields].map((field) => [field.name, property(field)]));
  const schema = new EntitySchema({ class: cls, properties, ...options } as unknown as EntitySchemaMetadata<object>);
  made.set(cls, schema);
  return schema;
}

const withDefaults = new Map<string, RecordClass>();

/** The embeddable class of a group; one that has defaults of its own in a record is a class of its own there. */
function embeddableOf(field: FieldMeta): RecordClass {
  const { cls } = groupOf(field);
  if (!field.defaults) return cls;
  const name = `${cls.name}With${Object.keys(field.defaults).join('And')}`;
  const known = withDefaults.get(name) ?? ({ [name]: class extends cls {} }[name] as RecordClass);
  withDefaults.set(name, known);
  return known;
}

/** The ORM's entities: the record classes themselves, derived from their declarations, and the embeddables of their groups. */
export function entitiesOf(records: readonly RecordClass[]): EntitySchema[] {
  const all = new Set<EntitySchema>();
  for (const cls of records) {
    const { fields } = metaOf(cls);
    all.add(made.get(cls) ?? schemaOf(cls, fields.values(), { tableName: optionsOf(cls).table, ...indexesOf(cls) }));
    for (const field of fields.values()) {
      if (field.kind !== 'group') continue;
      const embeddable = embeddableOf(field);
      const columns = [...groupOf(field).fields.values()].map((inner) => {
        const own = columnOf(metaOf(cls), `${field.name}.${inner.name}`).field;
        return field.defaults ? { ...own, name: inner.name } : inner;
      });
      all.add(made.get(embeddable) ?? schemaOf(embeddable, columns, { embeddable: true }));
    }
  }
  return [...all];
}
