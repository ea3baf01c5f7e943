import type { GraphQLSchema } from 'graphql';
import { type Example, exampleGroups, exampleName } from '../graphql/examples/index.js';
import { exampleOf } from '../pages/graph-reference/example.js';

/** Generated example of a root field, such as `Query.tournaments`. Null for unknown fields. */
function exampleOfField(schema: GraphQLSchema, coordinate: unknown): Example | null {
  const [root, name = ''] = typeof coordinate === 'string' ? coordinate.split('.') : [];
  const type = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].find(
    (rootType) => rootType?.name === root,
  );
  const field = type && Object.hasOwn(type.getFields(), name) ? type.getFields()[name] : undefined;
  return type && field ? exampleOf({ coordinate: `${type.name}.${name}`, kind: type.name.toLowerCase(), field }) : null;
}

/** Example in the URL of GraphiQL, such as `?example=NearAustin` or `?field=Query.tournaments`. Null if it is missing or unknown. */
export function openedExample(
  schema: GraphQLSchema,
  { example: name, field }: Readonly<Record<string, unknown>>,
): Example | null {
  if (field !== undefined) return exampleOfField(schema, field);
  return exampleGroups.flatMap(({ examples }) => examples).find((example) => exampleName(example) === name) ?? null;
}
