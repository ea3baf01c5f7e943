import { type GraphQLField, getNamedType, isObjectType } from 'graphql';
import type { JsonSchema } from '../engine/bind/json.js';
import type { Reply } from '../engine/reply/replies.js';
import type { Route } from '../engine/route.js';
import { type FindSchema, fieldsOf } from './fields.js';
import type { ReferenceExample, ReferenceResponse } from './operation.js';
import { graphKey } from './schemas.js';

/** Removes the list of permitted callers from the end of a GraphQL description. */
export const withoutCallers = (description: string | null | undefined): string =>
  (description ?? '').replace(/\s*For: [^\n]*$/, '').trim();

type Field = GraphQLField<unknown, unknown>;
type Properties = Readonly<Record<string, JsonSchema>>;

/** Returns the descriptions and coordinates of the two keys in a list response: the total and the array. */
function listKeys({ list }: Reply, coordinate: string, field: Field | undefined): Properties {
  if (!list) return {};
  const type = field && getNamedType(field.type);
  const connectionFields = isObjectType(type) ? type.getFields() : {};
  const item = connectionFields.nodes && getNamedType(connectionFields.nodes.type);
  const coordinateOf = (name: string) => (connectionFields[name] && type ? `${type.name}.${name}` : coordinate);
  const total = 'Total number of records';
  return {
    ...(list.total === null
      ? {}
      : {
          [list.total]: {
            description: list.isTotalNumber ? `${total}.` : `${total}, as a string.`,
            [graphKey]: coordinateOf('totalCount'),
          },
        }),
    [list.items]: { description: item?.description ?? type?.description ?? '', [graphKey]: coordinateOf('nodes') },
  };
}

/** Returns the schema of a reply, with descriptions of the keys that contain records or a total. */
function describedSchema(reply: Reply, coordinate: string, field: Field | undefined): JsonSchema | null {
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

const statusMeanings: Readonly<Record<number, string>> = {
  200: 'Success.',
  201: 'The record was created.',
  204: 'Success. The response has no body.',
  304: 'Nothing has changed. The response has no body.',
};

const isEmpty = (schema: JsonSchema | null): boolean =>
  schema !== null && typeof schema.properties === 'object' && !Object.keys(schema.properties ?? {}).length;

const distinct = (schemas: readonly JsonSchema[]): JsonSchema[] => [
  ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values(),
];

/** A route of an operation, with its GraphQL root field. */
export interface OperationOutcome {
  readonly route: Route;
  readonly coordinate: string;
  readonly field: Field | undefined;
  /** Whether the operation uses GET and changes nothing. Its responses have an ETag. */
  readonly isRead: boolean;
}

/** Returns the successful responses of an operation, ordered by status. */
export function successesOf(
  outcomes: readonly OperationOutcome[],
  examples: readonly ReferenceExample[],
  resolve: FindSchema,
): ReferenceResponse[] {
  const bodies = Map.groupBy(
    outcomes.map(({ route: { reply }, coordinate, field }) => ({
      status: reply.status,
      schema: describedSchema(reply, coordinate, field),
    })),
    ({ status }) => status,
  );
  const statusesWithoutBody = examples
    .map(({ response }) => response.status)
    .filter((status) => status < 400 && !bodies.has(status));
  const isTagged = outcomes.some(({ route, isRead }) => isRead && route.reply.status === 200);
  const bodilessStatuses = [...new Set([...statusesWithoutBody, ...(isTagged ? [304] : [])])];
  const successes = [...bodies].map(([status, statusBodies]): ReferenceResponse => {
    const schemas = distinct(statusBodies.flatMap(({ schema }) => (schema ? [schema] : [])));
    // In a schema of a custom reply, the type `null` means a response without a body.
    const bodySchemas = statusesWithoutBody.length ? schemas.map(withoutNull) : schemas;
    const schema = bodySchemas.length > 1 ? { anyOf: bodySchemas } : (bodySchemas[0] ?? null);
    return {
      status,
      meaning: isEmpty(schema) ? 'Success. The body is `{}`.' : (statusMeanings[status] ?? ''),
      schema,
      fields:
        bodySchemas.length > 1
          ? bodySchemas.flatMap((bodySchema) => fieldsOf(bodySchema, resolve))
          : schema
            ? fieldsOf(schema, resolve)
            : [],
    };
  });
  const withoutBody = bodilessStatuses.map((status) => ({
    status,
    meaning: statusMeanings[status] ?? '',
    schema: null,
    fields: [],
  }));
  return [...successes, ...withoutBody].toSorted((a, b) => a.status - b.status);
}

const withoutNull = (schema: JsonSchema): JsonSchema =>
  Array.isArray(schema.type) && schema.type.includes('object') ? { ...schema, type: 'object' } : schema;
