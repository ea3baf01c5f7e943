import { type GraphQLInputType, type GraphQLSchema, getNullableType, isInputObjectType, isLeafType, isListType } from 'graphql';
import type { Context } from '../declare/context.js';
import { metaOf, type RecordClass } from '../declare/meta.js';
import { publicUrlOf } from '../declare/public-url.js';
import { optionsOf } from '../declare/record.js';
import type { Join } from '../read/join.js';
import type { ListArgs } from '../read/list.js';

/** A requested list: at the root, or the related records of a parent. */
export interface AskedList {
  readonly cls: RecordClass;
  readonly args: ListArgs;
  readonly by?: Join;
  readonly parent?: string;
}

/** Serializes an argument value from its resolver form to the form that a client sends. */
function sent(value: unknown, given: GraphQLInputType): unknown {
  const type = getNullableType(given);
  if (value === null || value === undefined) return value;
  if (isListType(type)) return Array.isArray(value) ? value.map((each) => sent(each, type.ofType)) : sent(value, type.ofType);
  if (isLeafType(type)) return type.serialize(value);
  const fields = Object.values(type.getFields());
  return Object.fromEntries(
    fields.flatMap(({ name, type: inner }) => {
      const part: unknown = typeof value === 'object' ? Reflect.get(value, name) : undefined;
      return part === undefined ? [] : [[name, sent(part, inner)]];
    }),
  );
}

/** Root filter that selects the same rows as the relation. Null if no such filter exists, undefined at the root. */
function fromRecord({ cls, by, parent }: AskedList, schema: GraphQLSchema): object | null | undefined {
  if (by === undefined) return undefined;
  const filter = schema.getType(`${cls.name}Filter`);
  if (typeof by !== 'string' || !isInputObjectType(filter) || !filter.getFields()[by]) return null;
  return { [by]: { [metaOf(cls).fields.get(by)?.kind === 'list' ? 'has' : 'eq']: parent } };
}

/** URL of the complete list as CSV. Null if the root has no such list, or no filter for it. */
export function csvUrlOf(list: AskedList, context: Context, schema: GraphQLSchema): string | null {
  const { cls, args } = list;
  const { many, rootFields } = optionsOf(cls);
  const field = schema.getQueryType()?.getFields()[many];
  const within = fromRecord(list, schema);
  if (!field || within === null || rootFields?.includes('many') === false) return null;
  const own = new Map(field.args.map(({ name, type }) => [name, sent(args[name as keyof ListArgs], type)]));
  const filter = within && own.get('filter') ? { and: [within, own.get('filter')] } : (within ?? own.get('filter'));
  const query = Object.entries({ filter, orderBy: own.get('orderBy') }).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${encodeURIComponent(JSON.stringify(value))}`],
  );
  return `${publicUrlOf(context)}/exports/${many}.csv${query.length ? `?${query.join('&')}` : ''}`;
}
