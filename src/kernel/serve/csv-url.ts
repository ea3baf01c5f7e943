import { type GraphQLInputType, type GraphQLSchema, getNullableType, isInputObjectType, isLeafType, isListType } from 'graphql';
import { type Context, publicUrlOf } from '../declare/context.js';
import { metaOf, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { ListArgs } from '../read/list.js';
import type { Join } from '../read/relations/join.js';

/** List that was requested: a root list or, with `join` and `parent`, the list of the records that are related to a parent. */
export interface RequestedList {
  readonly cls: RecordClass;
  readonly args: ListArgs;
  readonly join?: Join;
  readonly parent?: string;
}

/** Converts an argument value that a resolver received to the JSON value that clients send for it. */
function serializeArgument(value: unknown, declaredType: GraphQLInputType): unknown {
  const type = getNullableType(declaredType);
  if (value === null || value === undefined) return value;
  if (isListType(type))
    return Array.isArray(value)
      ? value.map((item) => serializeArgument(item, type.ofType))
      : serializeArgument(value, type.ofType);
  if (isLeafType(type)) return type.serialize(value);
  const fields = Object.values(type.getFields());
  return Object.fromEntries(
    fields.flatMap(({ name, type: fieldType }) => {
      const part: unknown = typeof value === 'object' ? Reflect.get(value, name) : undefined;
      return part === undefined ? [] : [[name, serializeArgument(part, fieldType)]];
    }),
  );
}

/**
 * Returns the filter of the root list that selects the same rows as the relation. Null if there is no such filter. Undefined for a root
 * list.
 */
function relationFilterOf({ cls, join, parent }: RequestedList, schema: GraphQLSchema): object | null | undefined {
  if (join === undefined) return undefined;
  const filter = schema.getType(`${cls.name}Filter`);
  if (typeof join !== 'string' || !isInputObjectType(filter) || !filter.getFields()[join]) return null;
  return { [join]: { [metaOf(cls).fields.get(join)?.kind === 'list' ? 'has' : 'eq']: parent } };
}

/**
 * Returns the URL that downloads the entire list as CSV. Null if there is no root list with these records, or no filter for the relation.
 */
export function csvUrlOf(list: RequestedList, context: Context, schema: GraphQLSchema): string | null {
  const { cls, args } = list;
  const { many, rootFields } = optionsOf(cls);
  const field = schema.getQueryType()?.getFields()[many];
  const relationFilter = relationFilterOf(list, schema);
  if (!field || relationFilter === null || rootFields?.includes('many') === false) return null;
  const argumentValues = new Map(
    field.args.map(({ name, type }) => [name, serializeArgument(args[name as keyof ListArgs], type)]),
  );
  const filter =
    relationFilter && argumentValues.get('filter')
      ? { and: [relationFilter, argumentValues.get('filter')] }
      : (relationFilter ?? argumentValues.get('filter'));
  const query = Object.entries({ filter, orderBy: argumentValues.get('orderBy') }).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${encodeURIComponent(JSON.stringify(value))}`],
  );
  return `${publicUrlOf(context)}/exports/${many}.csv${query.length ? `?${query.join('&')}` : ''}`;
}
