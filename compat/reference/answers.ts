import { type GraphQLField, getNamedType, isObjectType } from 'graphql';
import type { JsonSchema } from '../engine/bind/json.js';
import type { Reply } from '../engine/reply/replies.js';
import type { Route } from '../engine/route.js';
import { fieldsOf, type Resolve } from './fields.js';
import type { ReferenceAnswer, ReferenceExample } from './operation.js';
import { graphKey } from './schemas.js';

/** What the graph says of a field, without who may ask for it. */
export const withoutCallers = (description: string | null | undefined): string =>
  (description ?? '').replace(/\s*For: [^\n]*$/, '').trim();

type Field = GraphQLField<unknown, unknown>;
type Properties = Readonly<Record<string, JsonSchema>>;

/** The keys around a list, as what they show of its connection. */
function listKeys({ list }: Reply, coordinate: string, field: Field | undefined): Properties {
  if (!list) return {};
  const type = field && getNamedType(field.type);
  const shown = isObjectType(type) ? type.getFields() : {};
  const item = shown.nodes && getNamedType(shown.nodes.type);
  const at = (name: string) => (shown[name] && type ? `${type.name}.${name}` : coordinate);
  const inAll = 'How many there are in all';
  return {
    ...(list.total === null
      ? {}
      : {
          [list.total]: { description: list.asNumber ? `${inAll}.` : `${inAll}, as decimal text.`, [graphKey]: at('totalCount') },
        }),
    [list.items]: { description: item?.description ?? type?.description ?? '', [graphKey]: at('nodes') },
  };
}

/** The body of a reply, in which the keys around records say what they are. */
function described(reply: Reply, coordinate: string, field: Field | undefined): JsonSchema | null {
  const { schema } = reply;
  const properties = schema?.properties as Properties | undefined;
  if (!schema || !properties) return schema;
  const keys =
    reply.record && !reply.list
      ? Object.fromEntries(
          Object.keys(properties).map((key) => [
            key,
            { description: (field && getNamedType(field.type).description) ?? '', [graphKey]: coordinate },
          ]),
        )
      : listKeys(reply, coordinate, field);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, { ...value, ...keys[key] }])),
  };
}

const meanings: Readonly<Record<number, string>> = {
  200: 'It was done, and this is the answer.',
  201: 'It was created.',
  204: 'There is nothing to tell: no body.',
  304: 'Nothing has changed: no body.',
};

const isEmpty = (schema: JsonSchema | null): boolean =>
  schema !== null && typeof schema.properties === 'object' && !Object.keys(schema.properties ?? {}).length;

const distinct = (schemas: readonly JsonSchema[]): JsonSchema[] => [
  ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values(),
];

/** One way in which an operation answers. */
export interface Replied {
  readonly route: Route;
  readonly coordinate: string;
  readonly field: Field | undefined;
  /** It is a GET that changes nothing: its answer has a tag. */
  readonly isRead: boolean;
}

/** What an operation answers when nothing is wrong, by status. */
export function answersOf(
  replied: readonly Replied[],
  examples: readonly ReferenceExample[],
  resolve: Resolve,
): ReferenceAnswer[] {
  const bodies = Map.groupBy(
    replied.map(({ route: { reply }, coordinate, field }) => ({
      status: reply.status,
      schema: described(reply, coordinate, field),
    })),
    ({ status }) => status,
  );
  const bare = examples.map(({ response }) => response.status).filter((status) => status < 400 && !bodies.has(status));
  const isTagged = replied.some(({ route, isRead }) => isRead && route.reply.status === 200);
  const others = [...new Set([...bare, ...(isTagged ? [304] : [])])];
  const answers = [...bodies].map(([status, found]): ReferenceAnswer => {
    const schemas = distinct(found.flatMap(({ schema }) => (schema ? [schema] : [])));
    // A hand-written answer that is null is the one without a body.
    const solid = bare.length ? schemas.map(withoutNull) : schemas;
    const schema = solid.length > 1 ? { anyOf: solid } : (solid[0] ?? null);
    return {
      status,
      meaning: isEmpty(schema) ? 'It was done; the body is `{}`.' : (meanings[status] ?? ''),
      schema,
      fields: solid.length > 1 ? solid.flatMap((each) => fieldsOf(each, resolve)) : schema ? fieldsOf(schema, resolve) : [],
    };
  });
  const without = others.map((status) => ({ status, meaning: meanings[status] ?? '', schema: null, fields: [] }));
  return [...answers, ...without].toSorted((a, b) => a.status - b.status);
}

const withoutNull = (schema: JsonSchema): JsonSchema =>
  Array.isArray(schema.type) && schema.type.includes('object') ? { ...schema, type: 'object' } : schema;
