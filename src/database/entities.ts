import { ArrayType, EntitySchema, type EntitySchemaMetadata, Type } from '@mikro-orm/core';
import { indexedRow } from '../kernel/declare/expression.js';
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
  snakeCase,
} from '../kernel/declare/meta.js';
import { optionsOf } from '../kernel/declare/record.js';
import { searchedName } from '../kernel/read/conditions/name-table.js';
import { locationIndex } from '../kernel/read/conditions/near.js';

/** Column that is read and written as text, because a Date or a number would lose digits. */
class VerbatimText extends Type<string, string> {
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

/** Text array with quoted elements. The ORM's default conversion loses the text `null`, leading and trailing whitespace, and line breaks. */
class TextArray extends ArrayType {
  override convertToDatabaseValue(entries: string[] | null): string | null {
    return entries && `{${entries.map((entry) => `"${entry.replace(/["\\]/g, '\\$&')}"`).join()}}`;
  }
}

const ormTypes: Readonly<Record<Exclude<FieldKind, 'group'>, string | VerbatimText | TextArray>> = {
  id: 'string',
  text: 'string',
  ref: 'string',
  values: 'string',
  flag: 'boolean',
  int: 'integer',
  num: 'double',
  money: new VerbatimText('numeric'),
  instant: new VerbatimText('timestamptz'),
  json: 'json',
  list: new TextArray(),
};

/** Returns the ORM property for a foreign key without a constraint (decision 8). The value of the property is the ID. */
const relationProperty = (target: () => RecordClass) => ({
  kind: 'm:1',
  entity: target,
  mapToPk: true,
  createForeignKeyConstraint: false,
  index: false,
});

function propertyOf(field: FieldMeta): object {
  if (field.kind === 'group')
    return { kind: 'embedded', entity: () => embeddableOf(field), prefix: `${snakeCase(field.name)}_`, object: false };
  const { kind, ref } = field;
  return {
    ...(kind === 'ref' && ref ? relationProperty(ref.target) : { type: ormTypes[kind] }),
    fieldName: snakeCase(field.name),
    columnType: columnTypes[kind],
    nullable: !field.required,
    ...(kind === 'id' ? { primary: true } : {}),
    ...(field.default ? { defaultRaw: field.default } : {}),
    ...(field.unique ? { unique: true } : {}),
    ...(field.secret ? { hidden: true } : {}),
  };
}

/**
 * Returns the index of a column. List columns have a GIN index. Other indexes end with the ID, because rows with the same foreign key or
 * creation time are sorted by ID.
 */
function columnIndex(table: string, { column, field }: Column) {
  const name = `${table}_${column}_idx`;
  const order = field.kind === 'instant' ? `${column} desc nulls last, id` : `${column}, id`;
  return {
    name,
    expression: `create index ${name} on ${table} ${field.kind === 'list' ? `using gin (${column})` : `(${order})`}`,
  };
}

function indexesOf(cls: RecordClass) {
  const { table, indexes = {}, key, location, names, nameTable } = optionsOf(cls);
  const columns = [...columnsOf(metaOf(cls)).values()].filter(({ field }) => field.index && !field.unique);
  const derivedIndexes = {
    ...(location && { location: locationIndex(cls, location) }),
    ...(names &&
      !nameTable && {
        [`${names.map(snakeCase).join('_')}_search`]: `using gin (${searchedName(cls, indexedRow).structure} gin_trgm_ops)`,
      }),
  };
  const namedIndexes = Object.entries({ ...indexes, ...derivedIndexes }).map(([suffix, sql]) => {
    const name = `${table}_${suffix}_idx`;
    return { name, expression: `create index ${name} on ${table} ${sql}` };
  });
  return {
    indexes: [...columns.map((column) => columnIndex(table, column)), ...namedIndexes],
    uniques: key ? [{ name: `${table}_key_unique`, properties: key.map((part) => columnOf(metaOf(cls), part).key) }] : [],
  };
}

const entitySchemas = new Map<unknown, EntitySchema>();

function schemaOf(cls: RecordClass, fields: Iterable<FieldMeta>, options: object): EntitySchema {
  const properties = Object.fromEntries([...fields].map((field) => [field.name, propertyOf(field)]));
  const schema = new EntitySchema({ class: cls, properties, ...options } as unknown as EntitySchemaMetadata<object>);
  entitySchemas.set(cls, schema);
  return schema;
}

const embeddables = new Map<string, RecordClass>();

/**
 * Returns the ORM embeddable class for a group of fields. A group with SQL defaults that apply only to one record gets a separate class.
 */
function embeddableOf(field: FieldMeta): RecordClass {
  const { cls } = groupOf(field);
  if (!field.defaults) return cls;
  const name = `${cls.name}With${Object.keys(field.defaults).join('And')}`;
  const embeddable = embeddables.get(name) ?? ({ [name]: class extends cls {} }[name] as RecordClass);
  embeddables.set(name, embeddable);
  return embeddable;
}

/** Returns the ORM entities of the record classes, derived from their declarations, and the embeddables of their groups. */
export function ormEntitiesOf(records: readonly RecordClass[]): EntitySchema[] {
  const schemas = new Set<EntitySchema>();
  for (const cls of records) {
    const { fields } = metaOf(cls);
    schemas.add(entitySchemas.get(cls) ?? schemaOf(cls, fields.values(), { tableName: optionsOf(cls).table, ...indexesOf(cls) }));
    for (const field of fields.values()) {
      if (field.kind !== 'group') continue;
      const embeddable = embeddableOf(field);
      const columns = [...groupOf(field).fields.values()].map((groupField) => {
        const columnField = columnOf(metaOf(cls), `${field.name}.${groupField.name}`).field;
        return field.defaults ? { ...columnField, name: groupField.name } : groupField;
      });
      schemas.add(entitySchemas.get(embeddable) ?? schemaOf(embeddable, columns, { embeddable: true }));
    }
  }
  return [...schemas];
}
