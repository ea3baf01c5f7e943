import type { ServerResponse } from 'node:http';
import { type DocumentNode, type GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql';
import type { ComplexityEstimator } from 'graphql-query-complexity';
// Its ES modules would bring a second copy of graphql, whose types do not know ours.
import { getComplexity } from 'graphql-query-complexity/cjs';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../kernel/declare/context.js';
import { problem } from '../kernel/declare/errors.js';
import { sizeOf } from '../kernel/read/part.js';
import { holdAnswer } from './room.js';
import { inputsIn, isConnectionType, itemsOf, weightOf } from './weights.js';

/** Fields that one answer may have, lists counted with the number of items asked for. */
export const maxComplexity = 200_000;

const lengthOf = (given: unknown): number => Math.max(Array.isArray(given) ? given.length : Number(given) || 0, 1);

/** A connection costs what its items cost, as many times as it may hold items, and so does a list as long as an argument says. */
const costs: ComplexityEstimator = ({ type, field, args, childComplexity }) => {
  const inputs = field.args.reduce((sum, { name, type }) => sum + inputsIn(args[name], type), 0);
  const weight = weightOf(type, field);
  const { sizedBy } = field.extensions;
  if (typeof sizedBy === 'string') return weight + inputs + childComplexity * lengthOf(args[sizedBy]);
  if (isConnectionType(field.type)) return weight + inputs + childComplexity * sizeOf(args);
  return inputs + itemsOf(type, field) * (weight + childComplexity);
};
const known = new WeakMap<DocumentNode, number | null>();

/**
 * The maximum number of fields in the answer to an operation, or to one event of a subscription. Null if variables have a wrong type, which
 * the execution reports.
 */
export function costOf(
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

/** What answers tell of the cost of their operation. */
const told = (cost: number) => ({ cost: { cost, limit: maxComplexity } });

/** Why an operation that asks for too much is refused, nothing of it having run, and what its answer tells of its cost. */
export function tooCostly(...operation: Parameters<typeof costOf>) {
  const cost = costOf(...operation);
  const error = refusalOf(cost);
  return cost === null || error === null ? null : { error, extensions: told(cost) };
}

function estimate(
  schema: GraphQLSchema,
  query: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
): number | null {
  try {
    return getComplexity({ schema, query, estimators: [costs], variables, ...(operationName ? { operationName } : {}) });
  } catch {
    return null;
  }
}

/** The limit for Yoga, with the cost of an operation beside its answer, refused or not. `leaving` is what errors go through that leave. */
export const complexityLimit = (leaving: (error: GraphQLError) => GraphQLError): Plugin<Context> => ({
  async onExecute({ args, setResultAndStopExecution }) {
    const cost = costOf(args.schema, args.document, args.operationName ?? undefined, args.variableValues ?? {});
    if (cost === null) return undefined;
    const extensions = told(cost);
    const refusal = refusalOf(cost);
    if (refusal) setResultAndStopExecution({ errors: [leaving(refusal)], extensions });
    else await holdAnswer(cost, (args.contextValue as { res?: ServerResponse }).res);
    return {
      onExecuteDone({ result }) {
        if (!(Symbol.asyncIterator in result)) result.extensions = { ...result.extensions, ...extensions };
      },
    };
  },
});
