import {
  buildSchema,
  type GraphQLEnumType,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import {
  compact,
  describeInputs,
  fieldsOf,
  helpOf,
  isConnection,
  isRecord,
  recordNameOf,
  requiredRolesIn,
} from './field-types.ts';
import { chooseColumns, chooseLabel, chooseSearch, currencyPathOf, type TypeLookup } from './presentation.ts';
import type { Catalog, FieldType, FilterField, MutationType, RecordType } from './types.ts';

type RootField = GraphQLField<unknown, unknown>;

/** Verbs in the names of mutations that create, update or delete a record, in order of preference. */
const verbs = { create: ['create', 'schedule', 'upsert'], update: ['update', 'upsert'], remove: ['delete', 'cancel', 'remove'] };

/**
 * Fields that contain the code of a record, keyed by record type. Text fields of other records refer to a record by this code, or by its
 * title if its type has no code.
 */
const codes: Readonly<Record<string, string>> = { Currency: 'abbreviation', TimeZone: 'ianaName' };

/** Record types with an upsert mutation that users can only use to update a record. */
const notCreatable = new Set(['User']);

/** Returns the mutation of a record that has one of the verbs in its name, such as `createEvent` for `TournamentEvent`. */
function mutationOf(
  mutations: Readonly<Record<string, RootField>>,
  type: GraphQLObjectType,
  recordField: string,
  kind: keyof typeof verbs,
): MutationType | undefined {
  const name = recordField.charAt(0).toUpperCase() + recordField.slice(1);
  const mutation = verbs[kind].map((verb) => mutations[verb + name]).find((each) => each && getNullableType(each.type) === type);
  if (!mutation || (kind === 'create' && notCreatable.has(type.name))) return;
  const argNames = new Set(mutation.args.map((arg) => arg.name));
  // Updates omit optional IDs, such as the owner of an image, because these cannot change. Deletes omit all optional arguments.
  const args = mutation.args.filter(
    ({ name: arg, type: argType }) =>
      arg !== 'id' &&
      arg !== 'ifVersion' &&
      (kind === 'create' || isNonNullType(argType) || (kind === 'update' && String(argType) !== 'ID')),
  );
  return compact<MutationType>({
    name: mutation.name,
    help: helpOf(mutation) ?? '',
    args: describeInputs(args, type),
    takesId: (argNames.has('id') || undefined) as true | undefined,
    takesVersion: (argNames.has('ifVersion') || undefined) as true | undefined,
    roles: requiredRolesIn(mutation),
  });
}

/** Describes the fields of a filter that compare a value, and the fields that check whether related records exist. */
function filtersOf(filter: GraphQLInputObjectType, type: GraphQLObjectType): readonly FilterField[] {
  const relations = new Map(fieldsOf(type).map(({ name, record }) => [name, record]));
  return Object.values(filter.getFields()).flatMap((field) => {
    const { name } = field;
    const input = getNamedType(field.type);
    if (isListType(getNullableType(field.type)) || name === 'not' || name === 'legacy') return [];
    const describe = (operand: string, form?: FilterField['form']) => [
      compact<FilterField>({ name, type: operand, form, record: relations.get(name), help: helpOf(field) }),
    ];
    if (!isInputObjectType(input)) return describe(input.name, 'value');
    const { eq, has, some } = input.getFields();
    if (eq) return describe(getNamedType(eq.type).name);
    if (has) return describe(getNamedType(has.type).name, 'list');
    const record = some && recordNameOf(type, name);
    return record ? describe(record, 'records') : [];
  });
}

/**
 * Returns the sort orders of a list. Omits sort orders that only work with a filter that is not offered, such as the distance from the
 * center of `near`.
 */
function ordersOf(order: GraphQLEnumType, filters: readonly FilterField[]): readonly string[] {
  const isOffered = (value: GraphQLEnumValue) => {
    const [, filter] = /filter `(\w+)`/.exec(value.description ?? '') ?? [];
    return filter === undefined || filters.some(({ name }) => name === filter);
  };
  return order.getValues().flatMap((value) => (isOffered(value) ? [value.name] : []));
}

/** Describes the record type of a list field of `Query`. */
function recordTypeOf(schema: GraphQLSchema, list: RootField, type: GraphQLObjectType, types: TypeLookup): RecordType {
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
  const mutations = schema.getMutationType()?.getFields() ?? {};
  const one = queries.find(
    (query) =>
      getNullableType(query.type) === type &&
      query.args.some(({ name }) => name === 'id') &&
      query.args.filter((arg) => isNonNullType(arg.type)).length === 1,
  );
  const recordField = one?.name ?? type.name.charAt(0).toLowerCase() + type.name.slice(1);
  const filter = list.args.find(({ name }) => name === 'filter');
  const filterType = filter && getNamedType(filter.type);
  const filters = isInputObjectType(filterType) ? filtersOf(filterType, type) : [];
  const orders = schema.getType(`${type.name}OrderField`);
  const required = list.args.filter((arg) => isNonNullType(arg.type));
  const fields = fieldsOf(type);
  const label = chooseLabel(fields, types);
  const relatedFieldsOf = (name: string) => {
    const related = schema.getType(name);
    return isObjectType(related) ? fieldsOf(related) : [];
  };
  const byKind = (kind: keyof typeof verbs) => mutationOf(mutations, type, recordField, kind);
  return compact<RecordType>({
    help: helpOf(type) ?? '',
    one: one?.name,
    many: list.name,
    requires: required.length > 0 ? describeInputs(required, type) : undefined,
    roles: requiredRolesIn(list),
    fields,
    filters,
    orders: isEnumType(orders) ? ordersOf(orders, filters) : [],
    label,
    columns: chooseColumns(fields, label, types),
    currency: fields.some(({ type: fieldType }) => fieldType === 'Money')
      ? currencyPathOf(fields, types, relatedFieldsOf, requiredRolesIn(list))
      : undefined,
    search: chooseSearch(label, filters),
    create: byKind('create'),
    update: byKind('update'),
    remove: byKind('remove'),
  });
}

/** Returns the values, inputs, enums and unions that fields refer to, directly or indirectly. */
function sharedTypesOf(schema: GraphQLSchema, records: Readonly<Record<string, RecordType>>): Omit<Catalog, 'records'> {
  const objects: Record<string, readonly FieldType[]> = {};
  const enums: Record<string, Catalog['enums'][string]> = {};
  const unions: Record<string, readonly string[]> = {};
  const add = (name: string, result?: GraphQLObjectType): void => {
    const type = schema.getType(name);
    if (name in records || name in objects || name in enums || name in unions) return;
    if (isEnumType(type)) enums[name] = type.getValues().map((value) => compact({ name: value.name, help: helpOf(value) }));
    else if (isAbstractType(type)) unions[name] = schema.getPossibleTypes(type).map((each) => each.name);
    else if (isObjectType(type)) {
      // Values have no pages of their own, so their lists of records are not shown.
      objects[name] = fieldsOf(type).filter(({ isConnection: isPaged }) => !isPaged);
      for (const field of objects[name]) add(field.type);
    } else if (isInputObjectType(type)) {
      const current = result ?? schema.getType(name.replace(/Input$/, ''));
      objects[name] = describeInputs(Object.values(type.getFields()), isObjectType(current) ? current : undefined);
      for (const field of objects[name]) add(field.type);
    }
  };
  for (const [name, { fields, filters, create, update }] of Object.entries(records)) {
    const type = schema.getType(name);
    for (const field of [...fields, ...filters]) add(field.type);
    for (const field of [...(create?.args ?? []), ...(update?.args ?? [])])
      add(field.type, isObjectType(type) ? type : undefined);
  }
  return { objects, enums, unions };
}

/** Extracts the facts about records from a schema. */
export function catalogOf(sdl: string): Catalog {
  const schema = buildSchema(sdl);
  const types: TypeLookup = {
    isRecord(name) {
      const type = schema.getType(name);
      return type !== undefined && (isRecord(type) || isAbstractType(type));
    },
    membersOf(name) {
      const type = schema.getType(name);
      return isAbstractType(type) ? schema.getPossibleTypes(type).map((member) => member.name) : [name];
    },
    isEnum: (name) => isEnumType(schema.getType(name)),
    fieldsOf(name) {
      const type = schema.getType(name);
      return isObjectType(type) && !isRecord(type) && !isConnection(type) ? fieldsOf(type) : [];
    },
  };
  const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((list) => {
    const connection = getNamedType(list.type);
    const nodes = isConnection(connection) ? connection.getFields().nodes : undefined;
    const type = nodes && getNamedType(nodes.type);
    // Some records have a second list, such as the reactions to a news item. Only the first list can be filtered.
    return type && isRecord(type) && list.args.some(({ name }) => name === 'filter') ? [{ list, type }] : [];
  });
  const records = Object.fromEntries(lists.map(({ list, type }) => [type.name, recordTypeOf(schema, list, type, types)]));
  const sharedTypes = sharedTypesOf(schema, records);
  const inputs = Object.values(sharedTypes.objects).flat();
  const referencedByText = new Set(inputs.flatMap(({ type, record }) => (type === 'String' && record ? [record] : [])));
  const withCodes = Object.entries(records).map(([name, type]) => [
    name,
    referencedByText.has(name) ? { ...type, code: codes[name] ?? 'title' } : type,
  ]);
  return { records: Object.fromEntries(withCodes), ...sharedTypes };
}

/** Returns the code of the module `courtside-console/catalog`. */
export const catalogModule = (sdl: string): string => `export default ${JSON.stringify(catalogOf(sdl))};`;
