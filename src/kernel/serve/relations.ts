import type { GeneratedField, Resolve } from '../declare/generated.js';
import { isNamedRelation } from '../declare/legacy-fields.js';
import { type FieldMeta, isFieldVisibleTo, metaOf, type Named, type RecordClass } from '../declare/meta.js';
import type { OrderBy } from '../declare/options.js';
import { anyone, covers, guard, type Policy, permittedCallers } from '../declare/policy.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { toWords } from '../declare/words.js';
import { addFilterRelation } from '../read/filter-relations.js';
import type { Join, JoinCondition } from '../read/join.js';
import type { ListArgs, Page } from '../read/list.js';
import { checkOwnedList, checkOwnedListOfParent } from '../read/owned-lists.js';
import { withoutRows } from '../read/page-args.js';
import { addPolymorphicRelation, type PolymorphicKey, type PolymorphicTargets, targetsOf } from '../read/polymorphic.js';
import { showsField } from '../read/restriction.js';
import { listSelectionOf, querySelection } from '../read/select.js';
import { relationProperty } from '../read/selection.js';
import { connectionOf, resolveConnection } from './connection.js';
import { listArgumentsOf } from './list-arguments.js';
import { namedResolver } from './named.js';
import { connectNamed } from './named-connection.js';
import { subjectOf } from './subjects.js';

/** Whether all callers that can read a record also meet other policies. If not, the relation is nullable. */
const isOpen = (read: readonly Policy[], from: RecordClass): boolean => covers(read, metaOf(from).options?.read ?? [anyone]);

/** Policies for lists of a record on other records. */
const relatedReaders = (cls: RecordClass): readonly Policy[] => optionsOf(cls).readRelated ?? optionsOf(cls).read;

/** Description of a relation. States the permitted callers if they are fewer than those of the record. */
const describedFor = (description: string, read: readonly Policy[], from: RecordClass): string =>
  isOpen(read, from) ? description : `${description} For: ${permittedCallers(read)}`;

/** Resolver of a to-one relation, such as `Team.tournament`. Null if no record has the ID. Uses the row that the list has already loaded, if any. */
function forward(name: string, target: RecordClass, declared: FieldMeta): Resolve {
  const { read } = optionsOf(target);
  const { name: foreignKey } = declared;
  const place = relationProperty(name);
  return (source, _, context, info) => {
    if (!isFieldVisibleTo(declared, context.caller)) return null;
    const row = source as Row;
    const there = row[place];
    if (there !== undefined) return there;
    const key = row[foreignKey];
    if (typeof key !== 'string' || key === '') return null;
    guard(read, context.caller);
    return context.loaders.one(target, querySelection(target, info), key);
  };
}

/** Resolver of a relation over a list of keys, such as `News.categories`: existing records, without duplicates, in the order of the keys. */
function forwardAll(cls: RecordClass, target: RecordClass, foreignKeys: string): Resolve {
  const { read } = optionsOf(target);
  return async (source, _, context, info) => {
    guard(read, context.caller);
    if (!showsField(metaOf(cls), foreignKeys, source as Row, context.caller)) return [];
    const selection = querySelection(target, info);
    const keys = new Set((source as Record<string, string[]>)[foreignKeys]);
    const rows = await Promise.all([...keys].map((key) => context.loaders.one(target, selection, key)));
    return rows.filter((row) => row !== null);
  };
}

/** Resolver of a paginated relation over a list of keys, such as `Game.players`: a connection of the existing records. */
function forwardPages(cls: RecordClass, target: RecordClass, foreignKeys: string): Resolve {
  const name = `${cls.name}.${foreignKeys}`;
  return (source, args: ListArgs, context, info) => {
    const row = source as Row;
    const ids = showsField(metaOf(cls), foreignKeys, row, context.caller) ? (row as Record<string, string[]>)[foreignKeys] : [];
    return connectNamed(target, name, ids ?? [], args, context, info);
  };
}

/** Resolver of an inverse relation, such as `Tournament.teams`: a connection of the records with the ID of this one. */
function backward(on: RecordClass, cls: RecordClass, by: Join, usual?: readonly OrderBy[]): Resolve {
  const { ownerField } = optionsOf(cls);
  const read = relatedReaders(cls);
  return (source, asked: ListArgs, context, info) => {
    const args = usual && !asked.orderBy?.length ? { ...asked, orderBy: usual } : asked;
    guard(read, context.caller);
    const { loaders } = context;
    const parent = String((source as Row).id);
    const wanted = listSelectionOf(cls, info);
    const pages = loaders.many(cls, by, parent, wanted.rows ? args : withoutRows(args), wanted);
    const toConnection = (page: Page) => resolveConnection(page, loaders, cls, args, by, parent);
    // Fast path: most lists need no check, and many are read at once.
    if (!ownerField) return pages.then(toConnection);
    return pages.then(async (page) => {
      await checkOwnedListOfParent(loaders, cls, on, by, parent);
      await checkOwnedList(loaders, cls, args);
      return toConnection(page);
    });
  };
}

/** Relation field that resolves a stored name to the record with that name. */
function namedRelation(cls: RecordClass, declared: FieldMeta, named: Named): GeneratedField {
  const { name } = declared;
  return {
    on: cls,
    name: named.one ?? name,
    type: named.target,
    isNullable: true,
    description: isNamedRelation(declared)
      ? `The ${toWords(named.target().name)} of the ${toWords(cls.name)}. Null if there is none with the stored name.`
      : `The ${toWords(named.target().name)} that \`${name}\` names. Null if there is none.`,
    extensions: { isRelation: true, needs: [name, ...(named.within ? [named.within.field] : [])] },
    resolve: namedResolver(cls, declared, named),
  };
}

/** Relation field that resolves a foreign key to its record, or a list of keys to all their records. */
function toOne(cls: RecordClass, declared: FieldMeta, target: RecordClass, name: string): GeneratedField {
  const { name: foreignKey, kind, description } = declared;
  const isList = kind === 'list';
  const { read } = optionsOf(target);
  return {
    on: cls,
    name,
    type: () => (isList ? [target] : target),
    isNullable: !isList || !isOpen(read, cls),
    description: describedFor(description, read, cls),
    extensions: { isRelation: true, foreignKey, ...(!isList && { target }) },
    resolve: isList ? forwardAll(cls, target, foreignKey) : forward(name, target, declared),
  };
}

function relation(cls: RecordClass, declared: FieldMeta): GeneratedField[] {
  const { name: key, description, named, ref } = declared;
  if (named) return [namedRelation(cls, declared, named)];
  if (!ref) return [];
  const target = ref.target();
  const made: GeneratedField[] = [];
  const { one, many, isPaged } = ref;
  if (one && isPaged)
    made.push({ ...connected(cls, one, target, description, { foreignKey: key }), resolve: forwardPages(cls, target, key) });
  else if (one) made.push(toOne(cls, declared, target, one));
  if (many) {
    const text = ref.manyDescription ?? `Its ${toWords(optionsOf(cls).many)}.`;
    made.push(relatedBy(target, many, cls, key, text));
  }
  return made;
}

/** Relation field with a connection. Nullable, so that an error in its arguments does not affect other fields. */
const connected = (
  on: RecordClass,
  name: string,
  cls: RecordClass,
  description: string,
  extensions: object,
): Omit<GeneratedField, 'resolve'> => ({
  on,
  name,
  type: () => connectionOf(cls),
  isNullable: true,
  description: describedFor(description, relatedReaders(cls), on),
  args: () => listArgumentsOf(cls),
  extensions: { isRelation: true, ...extensions },
});

/** Field of `on` with the related records of `cls`. */
const relatedBy = (
  on: RecordClass,
  many: string,
  cls: RecordClass,
  by: Join,
  description: string,
  usual?: readonly OrderBy[],
): GeneratedField => ({
  ...connected(on, many, cls, description, { needs: ['id'] }),
  resolve: backward(on, cls, by, usual),
});

interface RelatedOptions {
  /** Default order. */
  readonly usual?: readonly OrderBy[];
  /** Whether filters of `on` take conditions on the related records. */
  readonly isFilterable?: true;
}

/**
 * Relation by a join condition instead of a foreign key, such as `Tournament.players`. It belongs in `resolvers` of a manifest. Like every relation,
 * it is read in one statement for all parents.
 */
export const related = (
  on: RecordClass,
  many: string,
  cls: RecordClass,
  where: JoinCondition,
  description: string,
  { usual, isFilterable }: RelatedOptions = {},
): GeneratedField => {
  const by = { name: `${on.name}.${many}`, where };
  if (isFilterable) addFilterRelation(on, many, cls, by, description);
  return relatedBy(on, many, cls, by, description, usual);
};

/**
 * Polymorphic relation, such as `Favorite.subject`. It belongs in `resolvers` of a manifest. A column states the type of the record. If it is unset,
 * the type is found by the ID. Reads one statement per type. With `isFilterable`, filters of `on` take conditions on it.
 */
export function subject(
  on: RecordClass,
  name: string,
  by: PolymorphicKey,
  subjects: PolymorphicTargets,
  description: string,
  { isFilterable }: { readonly isFilterable?: true } = {},
): GeneratedField {
  const meant = targetsOf(on, by, subjects);
  if (isFilterable) addPolymorphicRelation(on, name, by, subjects, description);
  const { id: foreignKey, kind } = by;
  return {
    on,
    name,
    type: () => subjects.type,
    isNullable: true,
    description,
    extensions: { isRelation: true, foreignKey, needs: kind ? [kind] : [] },
    resolve: async (source, _, context, info) => {
      const row = source as Row;
      const id = row[foreignKey];
      if (typeof id !== 'string') return null;
      const found = await Promise.all(meant(row).map((cls) => subjectOf(context, cls, id, info)));
      return found.find((one) => one !== null) ?? null;
    },
  };
}

const known = new Map<RecordClass, readonly GeneratedField[]>();

/** Relations that the fields of a record or value declare. */
export function relationsOf(cls: RecordClass): readonly GeneratedField[] {
  let made = known.get(cls);
  if (!made) {
    made = [...metaOf(cls).fields.values()].flatMap((meta) => relation(cls, meta));
    known.set(cls, made);
  }
  return made;
}
