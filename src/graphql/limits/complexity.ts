import type { ServerResponse } from 'node:http';
import { type DocumentNode, type GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql';
import type { ComplexityEstimator } from 'graphql-query-complexity';
// The ES modules of the package would load a second copy of `graphql` with incompatible types.
import { getComplexity } from 'graphql-query-complexity/cjs';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../kernel/declare/context.js';
import { createError } from '../../kernel/declare/errors.js';
import { pageSizeOf } from '../../kernel/read/paging/page-args.js';
import { reserveResponseCost } from './concurrency-limiter.js';
import { countInputs, isConnectionType, itemsOf, weightOf } from './weights.js';

/** Maximum number of fields in one response. The fields of a list item count once for each requested item. */
export const maxComplexity = 200_000;

const lengthOf = (argument: unknown): number => Math.max(Array.isArray(argument) ? argument.length : Number(argument) || 0, 1);

/** The cost of a connection is the cost of one item times the requested number of items. */
const estimateCost: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  const inputs = field.args.reduce((sum, { name, type }) => sum + countInputs(args[name], type), 0);
  const weight = weightOf(type, field);
  const { sizedBy } = field.extensions;
  if (typeof sizedBy === 'string') return weight + inputs + childComplexity * lengthOf(args[sizedBy]);
  if (isConnectionType(field.type)) return weight + inputs + childComplexity * pageSizeOf(args);
  return inputs + itemsOf(type, field) * (weight + childComplexity);
};
const costs = new WeakMap<DocumentNode, number | null>();

/**
 * Returns the maximum number of fields in the response to an operation, or in one event of a subscription. Null if a variable has a wrong
 * type. The execution reports such errors.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
): number | null {
  const cached = costs.get(document);
  if (cached !== undefined) return cached;
  const cost = computeCost(schema, document, operationName, variables);
  const operations = document.definitions.filter(({ kind }) => kind === 'OperationDefinition');
  if (operations.length === 1 && !getOperationAST(document)?.variableDefinitions?.length) costs.set(document, cost);
  return cost;
}

/** Returns the error for an operation that exceeds the cost limit. Null for other operations. */
const costError = (cost: number | null): GraphQLError | null =>
  cost !== null && cost > maxComplexity
    ? createError('BAD_INPUT', `the operation costs ${cost}: expected at most ${maxComplexity}, request fewer items`)
    : null;

/** Returns the `cost` extension of a response. */
const costExtension = (cost: number) => ({ cost: { cost, limit: maxComplexity } });

/** Returns the error and the `extensions` of the response to an operation that exceeds the cost limit. Null for other operations. */
export function costRefusal(...operation: Parameters<typeof costOf>) {
  const cost = costOf(...operation);
  const error = costError(cost);
  return cost === null || error === null ? null : { error, extensions: costExtension(cost) };
}

function computeCost(
  schema: GraphQLSchema,
  query: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
): number | null {
  try {
    return getComplexity({ schema, query, estimators: [estimateCost], variables, ...(operationName ? { operationName } : {}) });
  } catch {
    return null;
  }
}

/** Yoga plugin that enforces the cost limit and adds the cost to each response. */
export const complexityLimit = (formatError: (error: GraphQLError) => GraphQLError): Plugin<Context> => ({
  async onExecute({ args, setResultAndStopExecution }) {
    const cost = costOf(args.schema, args.document, args.operationName ?? undefined, args.variableValues ?? {});
    if (cost === null) return undefined;
    const extensions = costExtension(cost);
    const refusal = costError(cost);
    if (refusal) setResultAndStopExecution({ errors: [formatError(refusal)], extensions });
    else await reserveResponseCost(cost, (args.contextValue as { res?: ServerResponse }).res);
    return {
      onExecuteDone({ result }) {
        if (!(Symbol.asyncIterator in result)) result.extensions = { ...result.extensions, ...extensions };
      },
    };
  },
});
