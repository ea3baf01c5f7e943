import type { GraphQLSchema } from 'graphql';
import { combinedCalls } from '../../compat/reference/combined-calls.js';
import type { Reference, ReferenceCall, ReferenceOperation } from '../../compat/reference/operation.js';
import { type Example, type ExampleTokens, exampleGroups, exampleName } from '../graphql/examples/index.js';
import { exampleOf } from '../pages/graph-reference/example.js';
import type { NamedTab } from '../pages/graphiql.js';
import { tokenFor } from '../pages/reference/samples.js';

/** Returns the operations with these comma-separated names. Null if a name is unknown. */
function operationsNamed(names: string, { groups }: Reference): ReferenceOperation[] | null {
  const byName = new Map(groups.flatMap(({ operations }) => operations.map((operation) => [operation.name, operation])));
  const operations = names.split(',').map((name) => byName.get(name));
  return operations.every((operation) => operation !== undefined) ? operations : null;
}

/**
 * Creates a function that returns GraphiQL tabs with the GraphQL equivalent of a `/v1` operation, such as `getDataTeamsUuid`. The variables
 * refer to demo data. Several comma-separated names result in one combined query. The function returns null if a name is unknown.
 */
export const operationTabs =
  (tokens: ExampleTokens | null, reference: () => Promise<Reference>) =>
  async (name: unknown): Promise<readonly NamedTab[] | null> => {
    const operations = typeof name === 'string' && name.length < 1000 ? operationsNamed(name, await reference()) : null;
    const [first, ...otherOperations] = operations ?? [];
    if (!operations || !first) return null;
    const calls: readonly Omit<ReferenceCall, 'coordinates'>[] =
      otherOperations.length > 0 ? combinedCalls(operations) : first.calls;
    if (calls.length === 0) return null;
    // A platform token is preferred, because it permits operations for platforms and operations for users.
    const sample = operations.find(({ auth }) => auth !== 'user') ?? first;
    const headers = tokens && {
      [sample.auth === 'user' ? 'PB-USER-TOKEN' : 'PB-API-TOKEN']: tokenFor(sample, tokens) || tokens.platform,
    };
    const title = operations.map((operation) => operation.name).join(',');
    const head = operations.map(({ method, path }) => `# ${method} ${path}`);
    return calls.map(({ when, document, variables }, index) => ({
      id: index ? `${title}-${index + 1}` : title,
      title,
      query: `${head.join('\n')}${when ? `: ${when}` : ''}\n${document}\n`,
      variables: Object.keys(variables).length ? JSON.stringify(variables, null, 2) : '',
      headers: headers ? JSON.stringify(headers, null, 2) : '',
    }));
  };

/** Returns the generated example of a root field, such as `Query.tournaments`. Null for unknown fields. */
function exampleOfField(schema: GraphQLSchema, coordinate: unknown): Example | null {
  const [root, name = ''] = typeof coordinate === 'string' ? coordinate.split('.') : [];
  const type = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].find(
    (rootType) => rootType?.name === root,
  );
  const field = type && Object.hasOwn(type.getFields(), name) ? type.getFields()[name] : undefined;
  return type && field ? exampleOf({ coordinate: `${type.name}.${name}`, kind: type.name.toLowerCase(), field }) : null;
}

/**
 * Returns the example that a GraphiQL URL selects, such as `?example=NearAustin` or `?field=Query.tournaments`. Null if the URL selects no
 * example, or an unknown one.
 */
export function openedExample(
  schema: GraphQLSchema,
  { example: name, field }: Readonly<Record<string, unknown>>,
): Example | null {
  if (field !== undefined) return exampleOfField(schema, field);
  return exampleGroups.flatMap(({ examples }) => examples).find((example) => exampleName(example) === name) ?? null;
}
