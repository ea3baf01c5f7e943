import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';

const listArguments = ['first', 'after', 'last', 'before', 'offset', 'filter', 'orderBy'];
const connectives = ['and', 'or', 'not', 'some', 'none'];
const snake = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Returns the names of the filter fields of a record. The field `location.city` becomes `locationCity`. */
function filterNames(record: GraphQLObjectType): string[] {
  return Object.values(record.getFields()).flatMap(({ name, type }) => {
    const part = getNamedType(type);
    const inner = isObjectType(part) ? Object.keys(part.getFields()) : [];
    return [name, ...inner.map((each) => `${name}${each.charAt(0).toUpperCase()}${each.slice(1)}`)];
  });
}

/** Returns the field names of the filter `legacy` of a record, including the fields of nested objects. */
function legacyFilterNames(schema: GraphQLSchema, record: GraphQLObjectType): string[] {
  const legacyOf = (part: GraphQLObjectType) => {
    const legacy = schema.getType(`${part.name}Legacy`);
    return isObjectType(legacy) ? Object.keys(legacy.getFields()) : [];
  };
  const ofParts = Object.values(record.getFields()).flatMap(({ name, type }) => {
    const part = getNamedType(type);
    return isObjectType(part) ? legacyOf(part).map((each) => `${name}${each.charAt(0).toUpperCase()}${each.slice(1)}`) : [];
  });
  return [...legacyOf(record), ...ofParts];
}

/** Whether another element of the schema already describes a generated input field or enum value. */
function isRepeated(schema: GraphQLSchema, type: GraphQLNamedType, member: string): boolean {
  const ownerType = (ending: string) =>
    type.name.endsWith(ending) ? schema.getType(type.name.slice(0, -ending.length)) : undefined;
  const record = ownerType('Filter') ?? ownerType('OrderField');
  if (isInputObjectType(type) && ownerType('Order')) return true;
  if (isInputObjectType(type) && (isEnumType(record) || isEnumType(ownerType('ListFilter')))) return true;
  if (isInputObjectType(type) && /Filter$/.test(type.name) && connectives.includes(member)) return true;
  const whole = ownerType('LegacyFilter');
  if (isObjectType(whole)) return legacyFilterNames(schema, whole).includes(member);
  if (!isObjectType(record)) return false;
  const names = filterNames(record);
  return isEnumType(type) ? names.map(snake).includes(member) : names.includes(member);
}

/** Whether all connections or all edges have a field. The description of `PageInfo` covers these fields. */
const isOfConnection = (type: GraphQLNamedType, field: string): boolean =>
  (/Connection$/.test(type.name) && ['nodes', 'edges', 'pageInfo'].includes(field)) ||
  (/Edge$/.test(type.name) && ['node', 'cursor'].includes(field));

/**
 * Whether an argument needs no description. `PageInfo` describes list arguments. The root field and the input type describe generated
 * arguments `id` and `input`.
 */
const isStandard = (field: GraphQLField<unknown, unknown>, argument: string): boolean =>
  listArguments.includes(argument)
    ? /Connection$/.test(getNamedType(field.type).name)
    : isObjectType(getNamedType(field.type)) && (argument === 'id' || argument === 'input');

/** Whether a description may be missing because another element contains it. See `CONTRIBUTING.md`. */
export function mayLackDescription(schema: GraphQLSchema, typeName: string, member: string, argument?: string): boolean {
  const type = schema.getType(typeName);
  if (!type) return false;
  const field = isObjectType(type) ? type.getFields()[member] : undefined;
  if (argument !== undefined) return field !== undefined && isStandard(field, argument);
  return isOfConnection(type, member) || isRepeated(schema, type, member);
}
