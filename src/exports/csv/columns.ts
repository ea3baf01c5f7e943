import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { Caller } from '../../graphql/run.js';
import { reject } from '../../kernel/declare/errors.js';
import { isLegacy } from '../../kernel/declare/fields/legacy-fields.js';
import { guard, policiesOf } from '../../kernel/declare/policy/policy.js';
import type { RootList } from './lists.js';

type CompositeType = GraphQLObjectType | GraphQLInterfaceType;
type OutputField = GraphQLField<unknown, unknown>;

/** Maximum number of columns, and maximum number of names in a column path: `location.city` has 2. Paths in filters have the same limit. */
const [maxColumns, maxPathLength] = [200, 4];

const hasNoRequiredArguments = ({ args }: OutputField): boolean => !args.some(isRequiredArgument);
const isScalar = (field: OutputField): boolean => isLeafType(getNullableType(field.type)) && hasNoRequiredArguments(field);

const isReadableBy = ({ extensions }: OutputField, caller: Caller): boolean =>
  policiesOf(extensions)?.some((policy) => policy.permitsCaller(caller)) ?? true;

/** Returns the object or interface type of a field. Null for lists, scalars and fields with required arguments. */
function objectTypeOf(field: OutputField): CompositeType | null {
  const type = getNullableType(field.type);
  return !isListType(type) && (isObjectType(type) || isInterfaceType(type)) && hasNoRequiredArguments(field) ? type : null;
}

/** Returns the type of a field that is part of its record, such as a location. Null for records, lists and caller-specific fields. */
function embeddedTypeOf(field: OutputField): CompositeType | null {
  const type = objectTypeOf(field);
  if (!type || type.name === 'ViewerCan') return null;
  const fields = type.getFields();
  return fields.id || fields.pageInfo ? null : type;
}

/**
 * Returns the names of the scalar fields that the caller may read, including fields of embedded objects. Objects inside embedded objects
 * are included only if they are `legacy` objects.
 */
const columnsOf = (type: CompositeType, caller: Caller, prefix = ''): string[] =>
  Object.values(type.getFields()).flatMap((field) => {
    const name = `${prefix}${field.name}`;
    if (!isReadableBy(field, caller)) return [];
    if (isScalar(field)) return [name];
    const embeddedType = prefix === '' || isLegacy(field) ? embeddedTypeOf(field) : null;
    return embeddedType ? columnsOf(embeddedType, caller, `${name}.`) : [];
  });

/** Returns the default columns of a list, in the order of the schema. */
const allColumns = ({ item, isMixed }: RootList, caller: Caller): string[] => [
  ...(isMixed ? ['__typename'] : []),
  ...columnsOf(item, caller),
];

const rejectColumn = (name: string, { item }: RootList): never =>
  reject('fields', `comma-separated columns of ${item.name}, such as id or location.city; unknown column ${name.slice(0, 100)}`);

/** Throws if a column does not exist or the caller may not read it. */
function checkColumn(name: string, list: RootList, caller: Caller): void {
  const parents = name.split('.');
  const last = parents.pop() ?? '';
  if (parents.length >= maxPathLength) rejectColumn(name, list);
  const checkedField = (field: OutputField | undefined): OutputField => {
    const policies = policiesOf(field?.extensions);
    if (policies) guard(policies, caller, undefined, 'fields');
    return field ?? rejectColumn(name, list);
  };
  const type = parents.reduce<CompositeType>(
    (parent, fieldName) => objectTypeOf(checkedField(parent.getFields()[fieldName])) ?? rejectColumn(name, list),
    list.item,
  );
  if (last === '__typename') return;
  const field = checkedField(type.getFields()[last]);
  if (!isLeafType(getNamedType(field.type)) || !hasNoRequiredArguments(field)) rejectColumn(name, list);
}

/** Returns the columns of the export. If no fields are requested, returns all columns that the caller may read. */
export function requestedColumns(list: RootList, requestedFields: string | null, caller: Caller): readonly string[] {
  if (requestedFields === null) return allColumns(list, caller);
  const names = requestedFields.split(',').map((name) => name.trim());
  if (names.length > maxColumns) reject('fields', `at most ${maxColumns} columns`);
  for (const name of names) checkColumn(name, list, caller);
  return new Set(names).size === names.length ? names : reject('fields', 'each column at most once');
}

interface Tree extends Map<string, Tree> {}

/** Returns the GraphQL selection set for the columns. */
export function columnSelection(columns: readonly string[]): string {
  const tree: Tree = new Map();
  for (const column of columns) {
    let node = tree;
    for (const name of column.split('.')) {
      const child = node.get(name) ?? new Map();
      node.set(name, child);
      node = child;
    }
  }
  const printSelection = (subtree: Tree): string =>
    [...subtree].map(([name, children]) => (children.size ? `${name} { ${printSelection(children)} }` : name)).join(' ');
  return printSelection(tree);
}
