import type { GeneratedField, Resolve } from '../declare/fields/generated.js';
import { isNamedRelation } from '../declare/fields/legacy-fields.js';
import type { OrderBy } from '../declare/fields/options.js';
import { memoize } from '../declare/memoize.js';
import { type FieldMeta, isFieldVisibleTo, metaOf, type NameReference, type RecordClass } from '../declare/meta.js';
import { anyone, guard, type Policy, permitsAllOf, permittedCallers } from '../declare/policy/policy.js';
import { optionsOf } from '../declare/record.js';
import type { Row, RowsById } from '../declare/row.js';
import { describeList, toWords } from '../declare/scalars/words.js';
import { addFilterRelation } from '../read/conditions/filter-relations.js';
import { canSeeField } from '../read/conditions/restriction.js';
import { constantRows } from '../read/constant-rows.js';
import type { ListArgs, Page } from '../read/list.js';
import { withoutRows } from '../read/paging/page-args.js';
import type { Join, JoinCondition } from '../read/relations/join.js';
import { checkOwnedList, checkOwnedListOfParent } from '../read/relations/owned-lists.js';
import {
  addPolymorphicRelation,
  type PolymorphicKey,
  type PolymorphicTargets,
  targetsOf,
} from '../read/relations/polymorphic.js';
import { rowWithName } from '../read/rows-by-name.js';
import { listSelectionOf, querySelection } from '../read/select.js';
import { relationProperty } from '../read/selection.js';
import { listArgumentsOf } from './arguments.js';
import { connectionOf, connectionOfIds, resolveConnection } from './connection.js';
import { readTypedRow } from './nodes.js';

/**
 * Returns the resolver for a relation by name. The resolver finds the record with the stored name. Names of constant records match in any
 * letter case. Other names must match exactly.
 */
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
    const findRow = (targetRows: RowsById, parents: RowsById | null): Row | null => {
      const parent =
        parentReference && parents && parentKeys ? rowWithName(parents, parentReference.columns, row[parentKeys.field]) : null;
      return rowWithName(targetRows, columns, value, parent && parentKeys ? { key: parentKeys.key, id: parent.id } : undefined);
    };
    if (!(rows instanceof Promise) && !(parentRows instanceof Promise)) return findRow(rows, parentRows);
    return Promise.all([rows, parentRows]).then(([targetRows, parents]) => findRow(targetRows, parents));
  };
}

/** Whether the policies permit all callers who can read the parent record. Otherwise, relations with these policies are nullable. */
const permitsParentReaders = (policies: readonly Policy[], parentRecord: RecordClass): boolean =>
  permitsAllOf(policies, metaOf(parentRecord).options?.read ?? [anyone]);

/** Returns the policies that apply to lists of this record on other records. */
const relatedPolicies = (cls: RecordClass): readonly Policy[] => optionsOf(cls).readRelated ?? optionsOf(cls).read;

/** Returns the description of a relation. It names the permitted callers if some readers of the parent record are not permitted. */
const describeRelation = (description: string, policies: readonly Policy[], parentRecord: RecordClass): string =>
  permitsParentReaders(policies, parentRecord) ? description : `${description} For: ${permittedCallers(policies)}`;

/**
 * Returns the resolver of a to-one relation, such as `Team.tournament`. The resolver returns null if no record has the ID. It uses the row
 * that was loaded with the list, if any.
 */
function toOneResolver(name: string, target: RecordClass, field: FieldMeta): Resolve {
  const { read } = optionsOf(target);
  const { name: foreignKey } = field;
  const property = relationProperty(name);
  return (source, _, context, info) => {
    if (!isFieldVisibleTo(field, context.caller)) return null;
    const row = source as Row;
    const loadedRow = row[property];
    if (loadedRow !== undefined) return loadedRow;
    const key = row[foreignKey];
    if (typeof key !== 'string' || key === '') return null;
    guard(read, context.caller);
    return context.loaders.loadRow(target, querySelection(target, info), key);
  };
}

/**
 * Returns the resolver of a relation from a list of IDs, such as `NewsItem.categories`. The resolver returns the existing records without
 * duplicates, in the order of the IDs.
 */
function listResolver(cls: RecordClass, target: RecordClass, foreignKeys: string): Resolve {
  const { read } = optionsOf(target);
  return async (source, _, context, info) => {
    guard(read, context.caller);
    if (!canSeeField(metaOf(cls), foreignKeys, source as Row, context.caller)) return [];
    const selection = querySelection(target, info);
    const keys = new Set((source as Record<string, string[]>)[foreignKeys]);
    const rows = await Promise.all([...keys].map((key) => context.loaders.loadRow(target, selection, key)));
    return rows.filter((row) => row !== null);
  };
}

/**
 * Returns the resolver of a paginated relation that is stored as a list of IDs, such as `Game.players`. The resolver returns a connection
 * of the listed records that exist.
 */
function pagedListResolver(cls: RecordClass, target: RecordClass, foreignKeys: string): Resolve {
  const name = `${cls.name}.${foreignKeys}`;
  return (source, args: ListArgs, context, info) => {
    const row = source as Row;
    const ids = canSeeField(metaOf(cls), foreignKeys, row, context.caller) ? (row as Record<string, string[]>)[foreignKeys] : [];
    return connectionOfIds(target, name, ids ?? [], args, context, info);
  };
}

/**
 * Returns the resolver of an inverse relation, such as `Tournament.teams`. The resolver returns a connection of the records that contain
 * the ID of the parent.
 */
function inverseResolver(parentRecord: RecordClass, cls: RecordClass, join: Join, defaultOrder?: readonly OrderBy[]): Resolve {
  const { ownerField } = optionsOf(cls);
  const policies = relatedPolicies(cls);
  return (source, requestedArgs: ListArgs, context, info) => {
    const args = defaultOrder && !requestedArgs.orderBy?.length ? { ...requestedArgs, orderBy: defaultOrder } : requestedArgs;
    guard(policies, context.caller);
    const { loaders } = context;
    const parent = String((source as Row).id);
    const selection = listSelectionOf(cls, info);
    const pages = loaders.loadPage(cls, join, parent, selection.rows ? args : withoutRows(args), selection);
    const toConnection = (page: Page) => resolveConnection(page, loaders, cls, args, join, parent);
    // Most lists need no check. Their fast path avoids another promise, because one response can contain many lists.
    if (!ownerField) return pages.then(toConnection);
    return pages.then(async (page) => {
      await checkOwnedListOfParent(loaders, cls, parentRecord, join, parent);
      await checkOwnedList(loaders, cls, args);
      return toConnection(page);
    });
  };
}

/** Returns the relation field for a stored name. The field returns the record with that name. */
function nameRelation(cls: RecordClass, field: FieldMeta, reference: NameReference): GeneratedField {
  const { name } = field;
  return {
    on: cls,
    name: reference.relation ?? name,
    type: reference.target,
    isNullable: true,
    description: isNamedRelation(field)
      ? `The ${toWords(reference.target().name)} of the ${toWords(cls.name)}. Null if the stored name is unknown.`
      : `The ${toWords(reference.target().name)} with the ID or name in \`${name}\`. Null if the value is unknown.`,
    extensions: { isRelation: true, readsColumns: [name, ...(reference.parent ? [reference.parent.field] : [])] },
    resolve: nameReferenceResolver(cls, field, reference),
  };
}

/**
 * Returns the relation field for a foreign key or a list of IDs. The field returns the related record or, for a list, all related records.
 */
function keyRelation(cls: RecordClass, field: FieldMeta, target: RecordClass, name: string): GeneratedField {
  const { name: foreignKey, kind, description } = field;
  const isList = kind === 'list';
  const { read } = optionsOf(target);
  return {
    on: cls,
    name,
    type: () => (isList ? [target] : target),
    isNullable: !isList || !permitsParentReaders(read, cls),
    description: describeRelation(description, read, cls),
    extensions: { isRelation: true, foreignKey, ...(!isList && { target }) },
    resolve: isList ? listResolver(cls, target, foreignKey) : toOneResolver(name, target, field),
  };
}

function relationsOfField(cls: RecordClass, field: FieldMeta): GeneratedField[] {
  const { name: key, description, nameReference, ref } = field;
  if (nameReference) return [nameRelation(cls, field, nameReference)];
  if (!ref) return [];
  const target = ref.target();
  const relations: GeneratedField[] = [];
  const { one, many, isPaged } = ref;
  if (one && isPaged)
    relations.push({
      ...connectionField(cls, one, target, description, { foreignKey: key }),
      resolve: pagedListResolver(cls, target, key),
    });
  else if (one) relations.push(keyRelation(cls, field, target, one));
  if (many) {
    const text = ref.manyDescription ?? describeList(optionsOf(cls).many, optionsOf(target).one);
    relations.push(inverseRelation(target, many, cls, key, text));
  }
  return relations;
}

/** Returns a relation field that returns a connection. It is nullable, because an error in its arguments must not affect other fields. */
const connectionField = (
  parentRecord: RecordClass,
  name: string,
  cls: RecordClass,
  description: string,
  extensions: object,
): Omit<GeneratedField, 'resolve'> => ({
  on: parentRecord,
  name,
  type: () => connectionOf(cls),
  isNullable: true,
  description: describeRelation(description, relatedPolicies(cls), parentRecord),
  args: () => listArgumentsOf(cls),
  extensions: { isRelation: true, ...extensions },
});

/** Returns the field of `parentRecord` that lists the related records of `cls`. */
const inverseRelation = (
  parentRecord: RecordClass,
  many: string,
  cls: RecordClass,
  join: Join,
  description: string,
  defaultOrder?: readonly OrderBy[],
): GeneratedField => ({
  ...connectionField(parentRecord, many, cls, description, { readsColumns: ['id'] }),
  resolve: inverseResolver(parentRecord, cls, join, defaultOrder),
});

interface RelatedOptions {
  readonly defaultOrder?: readonly OrderBy[];
  /** Whether filters of the parent record accept conditions on the related records. */
  readonly isFilterable?: true;
}

/**
 * Declares a relation by a join condition instead of a foreign key, such as `Tournament.players`, for the `resolvers` of a manifest. As
 * with every relation, one statement reads it for all parents.
 */
export const relatedRecords = (
  parentRecord: RecordClass,
  many: string,
  cls: RecordClass,
  where: JoinCondition,
  description: string,
  { defaultOrder, isFilterable }: RelatedOptions = {},
): GeneratedField => {
  const join = { name: `${parentRecord.name}.${many}`, where };
  if (isFilterable) addFilterRelation(parentRecord, many, cls, join, description);
  return inverseRelation(parentRecord, many, cls, join, description, defaultOrder);
};

/**
 * Declares a polymorphic relation, such as `Favorite.subject`, for the `resolvers` of a manifest. If the row contains the type of the
 * related record, only records of this type are searched for the ID. Otherwise, all types are searched. Runs one statement per type. With
 * `isFilterable`, filters of the parent record accept conditions on the related record.
 */
export function polymorphicRelation(
  parentRecord: RecordClass,
  name: string,
  key: PolymorphicKey,
  targets: PolymorphicTargets,
  description: string,
  { isFilterable }: { readonly isFilterable?: true } = {},
): GeneratedField {
  const targetsOfRow = targetsOf(parentRecord, key, targets);
  if (isFilterable) addPolymorphicRelation(parentRecord, name, key, targets, description);
  const { id: foreignKey, kind } = key;
  return {
    on: parentRecord,
    name,
    type: () => targets.type,
    isNullable: true,
    description,
    extensions: { isRelation: true, foreignKey, readsColumns: kind ? [kind] : [] },
    resolve: async (source, _, context, info) => {
      const row = source as Row;
      const id = row[foreignKey];
      if (typeof id !== 'string') return null;
      const rows = await Promise.all(targetsOfRow(row).map((cls) => readTypedRow(context, cls, id, info)));
      return rows.find((row) => row !== null) ?? null;
    },
  };
}

/** Returns the relations that are declared on the fields of a record or value. */
export const relationsOf: (cls: RecordClass) => readonly GeneratedField[] = memoize((cls) =>
  [...metaOf(cls).fields.values()].flatMap((field) => relationsOfField(cls, field)),
);
