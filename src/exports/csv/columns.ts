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
import type { Caller } from '../../gateway/run.js';
import { reject } from '../../kernel/declare/errors.js';
import { guard, policiesOf } from '../../kernel/declare/policy.js';
import { isLegacy } from '../../kernel/declare/shown.js';
import type { RootList } from './lists.js';

type Shaped = GraphQLObjectType | GraphQLInterfaceType;
type Asked = GraphQLField<unknown, unknown>;

/** Maximum number of columns, and maximum length of a column path. The path limit is that of filters. */
const [mostColumns, mostSteps] = [200, 4];

const needsNothing = ({ args }: Asked): boolean => !args.some(isRequiredArgument);
const isScalar = (field: Asked): boolean => isLeafType(getNullableType(field.type)) && needsNothing(field);

const isOpenTo = ({ extensions }: Asked, caller: Caller): boolean =>
  policiesOf(extensions)?.some((policy) => policy.maybe(caller)) ?? true;

/** Object type of a field. Null for lists, scalars and fields with required arguments. */
function stepOf(field: Asked): Shaped | null {
  const type = getNullableType(field.type);
  return !isListType(type) && (isObjectType(type) || isInterfaceType(type)) && needsNothing(field) ? type : null;
}

/** Type of a field that is part of its record, such as a location. Null for records, lists and caller-specific fields. */
function partOf(field: Asked): Shaped | null {
  const type = stepOf(field);
  if (!type || type.name === 'ViewerCan') return null;
  const fields = type.getFields();
  return fields.id || fields.pageInfo ? null : type;
}

/** Scalar fields that the caller may read, and those of nested objects. Of objects at the second level, only `legacy` is included. */
const columnsOf = (type: Shaped, caller: Caller, prefix = ''): string[] =>
  Object.values(type.getFields()).flatMap((field) => {
    const name = `${prefix}${field.name}`;
    if (!isOpenTo(field, caller)) return [];
    if (isScalar(field)) return [name];
    const part = prefix === '' || isLegacy(field) ? partOf(field) : null;
    return part ? columnsOf(part, caller, `${name}.`) : [];
  });

/** Default columns of a list, in the order of the schema. */
const allColumns = ({ item, isMixed }: RootList, caller: Caller): string[] => [
  ...(isMixed ? ['__typename'] : []),
  ...columnsOf(item, caller),
];

const noColumn = (name: string, { item }: RootList): never =>
  reject(
    'fields',
    `names of columns of ${item.name} with commas between them, such as id or location.city; there is no ${name.slice(0, 100)}`,
  );

/** Throws if a column does not exist or the caller may not read it. */
function check(name: string, list: RootList, caller: Caller): void {
  const parts = name.split('.');
  const last = parts.pop() ?? '';
  if (parts.length >= mostSteps) noColumn(name, list);
  const read = (field: Asked | undefined): Asked => {
    const policies = policiesOf(field?.extensions);
    if (policies) guard(policies, caller, undefined, 'fields');
    return field ?? noColumn(name, list);
  };
  const type = parts.reduce<Shaped>((from, part) => stepOf(read(from.getFields()[part])) ?? noColumn(name, list), list.item);
  if (last === '__typename') return;
  const field = read(type.getFields()[last]);
  if (!isLeafType(getNamedType(field.type)) || !needsNothing(field)) noColumn(name, list);
}

/** Columns of the export: the requested ones, or all. */
export function columnsAsked(list: RootList, named: string | null, caller: Caller): readonly string[] {
  if (named === null) return allColumns(list, caller);
  const names = named.split(',').map((name) => name.trim());
  if (names.length > mostColumns) reject('fields', `at most ${mostColumns} columns`);
  for (const name of names) check(name, list, caller);
  return new Set(names).size === names.length ? names : reject('fields', 'each column once');
}

interface Tree extends Map<string, Tree> {}

/** Selection set for the columns. */
export function selecting(columns: readonly string[]): string {
  const tree: Tree = new Map();
  for (const column of columns) {
    let place = tree;
    for (const part of column.split('.')) {
      const next = place.get(part) ?? new Map();
      place.set(part, next);
      place = next;
    }
  }
  const written = (inner: Tree): string =>
    [...inner].map(([name, deeper]) => (deeper.size ? `${name} { ${written(deeper)} }` : name)).join(' ');
  return written(tree);
}
