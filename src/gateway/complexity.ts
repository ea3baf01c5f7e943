import { createRequire } from 'node:module';
import { type DocumentNode, type GraphQLSchema, getNamedType, getOperationAST } from 'graphql';
import type { ComplexityEstimator } from 'graphql-query-complexity';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../kernel/declare/context.js';
import { fail } from '../kernel/declare/errors.js';
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
const known = new WeakMap<DocumentNode, number>();

/** Refuses an operation that asks for more than the service would answer; nothing of it runs. */
export function checkComplexity(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
): void {
  let complexity = known.get(document);
  if (complexity === undefined) {
    complexity = estimate(schema, document, operationName, variables);
    const operations = document.definitions.filter(({ kind }) => kind === 'OperationDefinition');
    if (operations.length === 1 && !getOperationAST(document)?.variableDefinitions?.length) known.set(document, complexity);
  }
  if (complexity > maxComplexity)
    fail('BAD_INPUT', `the answer could have ${complexity} fields: expected at most ${maxComplexity}, ask for fewer items`);
}

function estimate(
  schema: GraphQLSchema,
  query: DocumentNode,
  operationName: string | undefined,
  variables: Record<string, unknown>,
): number {
  try {
    return getComplexity({ schema, query, estimators, variables, ...(operationName ? { operationName } : {}) });
  } catch {
    // Variables of a wrong type: the execution says so.
    return 0;
  }
}

/** The limit for Yoga. */
export const complexityLimit: Plugin<Context> = {
  onExecute: ({ args }) =>
    checkComplexity(args.schema, args.document, args.operationName ?? undefined, args.variableValues ?? {}),
};
