import { createRequire } from 'node:module';
import { type DocumentNode, type GraphQLError, type GraphQLSchema, getNamedType, getOperationAST } from 'graphql';
import type { ComplexityEstimator } from 'graphql-query-complexity';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../kernel/declare/context.js';
import { problem } from '../kernel/declare/errors.js';
import { sizeOf } from '../kernel/read/part.js';

// Its ES modules would bring a second copy of graphql, whose types do not know ours.
const { getComplexity, simpleEstimator }: typeof import('graphql-query-complexity') = createRequire(import.meta.url)(
  'graphql-query-complexity',
);

/** Fields that one answer may have, lists counted with the number of items asked for. */
export const maxComplexity = 200_000;

const lengthOf = (given: unknown): number => Math.max(Array.isArray(given) ? given.length : Number(given) || 0, 1);

/** A connection, and a list as long as an argument says, costs what its items cost, as many times as it may hold items. */
const lists: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  const { sizedBy } = field.extensions;
  if (typeof sizedBy === 'string') return 1 + childComplexity * lengthOf(args[sizedBy]);
  if (getNamedType(field.type).extensions.connection) return 1 + childComplexity * sizeOf(args);
  // `nodes` and `edges` hold the items that the connection has already multiplied.
  return type.extensions.connection ? childComplexity : undefined;
};
const estimators = [lists, simpleEstimator({ defaultComplexity: 1 })];
const known = new WeakMap<DocumentNode, number | null>();

/** How many fields the answer of an operation could have; null for variables of a wrong type, of which the execution tells. */
function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
): number | null {
  const before = known.get(document);
  if (before !== undefined) return before;
  const cost = estimate(schema, document, operationName, variables);
  const operations = document.definitions.filter(({ kind }) => kind === 'OperationDefinition');
  if (operations.length === 1 && !getOperationAST(document)?.variableDefinitions?.length) known.set(document, cost);
  return cost;
}

/** What is wrong with an operation that asks for more than the service would answer. */
const refusalOf = (cost: number | null): GraphQLError | null =>
  cost !== null && cost > maxComplexity
    ? problem('BAD_INPUT', `the answer could have ${cost} fields: expected at most ${maxComplexity}, ask for fewer items`)
    : null;

/** Refuses an operation that asks for too much; nothing of it runs. */
export function checkComplexity(...operation: Parameters<typeof costOf>): void {
  const refusal = refusalOf(costOf(...operation));
  if (refusal) throw refusal;
}

function estimate(
  schema: GraphQLSchema,
  query: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
): number | null {
  try {
    return getComplexity({ schema, query, estimators, variables, ...(operationName ? { operationName } : {}) });
  } catch {
    return null;
  }
}

/** The limit for Yoga, with the cost of an operation beside its answer, refused or not. `leaving` is what errors go through that leave. */
export const complexityLimit = (leaving: (error: GraphQLError) => GraphQLError): Plugin<Context> => ({
  onExecute({ args, setResultAndStopExecution }) {
    const cost = costOf(args.schema, args.document, args.operationName ?? undefined, args.variableValues ?? {});
    if (cost === null) return undefined;
    const extensions = { cost: { cost, limit: maxComplexity } };
    const refusal = refusalOf(cost);
    if (refusal) setResultAndStopExecution({ errors: [leaving(refusal)], extensions });
    return {
      onExecuteDone({ result }) {
        if (!(Symbol.asyncIterator in result)) result.extensions = { ...result.extensions, ...extensions };
      },
    };
  },
});
