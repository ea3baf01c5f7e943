import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import type { Logger } from 'pino';
import type { Client } from '../kernel/declare/context.js';
import { codeOf, type Problem } from '../kernel/declare/errors.js';
import type { Caller } from '../kernel/declare/policy/caller.js';
import { guard, type Policy, policiesOf } from '../kernel/declare/policy/policy.js';
import { cacheVersion } from '../kernel/read/cache-version-sql.js';
import { problemsOf } from './coercion/coerce-variables.js';
import { contextOf, type Resources } from './context.js';
import { withoutTokens } from './documents/document-cache.js';
import { createErrorMask } from './errors/mask.js';
import { compileOnFirstRun } from './execute.js';
import { consistencyHeader } from './read-your-writes/index.js';

export { createCache, describeCache, validForever } from '../kernel/caches.js';
export { unexpectedErrorFields } from '../kernel/database-errors.js';
export type { Client } from '../kernel/declare/context.js';
export { objectMaker } from '../kernel/declare/object-maker.js';
export { type Caller, canReportHistory, platformIdOf } from '../kernel/declare/policy/caller.js';
export { policyErrorIn } from '../kernel/declare/policy/policy-error.js';
export { instantOf, normalizeInstant } from '../kernel/declare/scalars/instant.js';
export { withoutExponent } from '../kernel/declare/scalars/scalars.js';
export { type RequestFacts, recordUnavailability, requestFactsOf } from '../kernel/monitoring/request-facts.js';
export { tracing } from '../kernel/tracing.js';
export { usesOf } from './coercion/argument-values.js';
export { entityTagOf, matchesTag } from './http/entity-tag.js';
export type { CacheableRequest, ResponseCache } from './http/response-cache.js';
export { deferHeaders, deferredHeaders, requestIdOf } from './http/response-headers.js';
export {
  type IdempotentResponses,
  idempotencyKeyHeader,
  isRetryable,
  type KeyClaim,
  replayedHeader,
} from './idempotency/responses.js';
export { acquireBodyBytes, acquireList, acquireParsedBytes, ConcurrencyLimiter } from './limits/concurrency-limiter.js';
export { maxBodyBytes } from './limits/request-limits.js';

/** A prepared operation. It is parsed and validated once, and can run many times. */
export interface Operation {
  readonly document: DocumentNode;
  /** Finds invalid variables without running the operation. Some required variables may be missing. */
  problems(variables: Record<string, unknown>): readonly Problem[];
  /** Throws UNAUTHENTICATED or FORBIDDEN if a policy of a root field refuses the caller. Does not check arguments. */
  authorize(caller: Caller): void;
  run(variables: Record<string, unknown>, caller: Caller, client?: Client): Promise<ExecutionResult>;
}

/** The graph for clients inside the process, such as `/v1`. */
export interface Graph {
  readonly schema: GraphQLSchema;
  /**
   * Parses, validates and prepares an operation, and caches it by its text. Throws if a field or variable does not exist. Set
   * `hasCachedResults` if the caller caches the results: the operation then reads from the primary.
   */
  prepare(text: string, hasCachedResults?: boolean): Operation;
  /** Returns the version of the data, at most one second old. Cached entries with another version are stale. */
  cacheVersion(): string | Promise<string>;
}

/** Graph that can also prepare operations without caching them, for code that builds operation texts from client input. */
export interface AdHocGraph extends Graph {
  /** Prepares an operation without caching it, because the number of such texts is unlimited. */
  prepareOnce(text: string): Operation;
}

/** Returns the policies of the root fields that an operation selects. */
function rootPolicies(schema: GraphQLSchema, operation: OperationDefinitionNode) {
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  return operation.selectionSet.selections.flatMap((node) => {
    const field = node.kind === 'Field' ? root?.getFields()[node.name.value] : undefined;
    return [policiesOf(field?.extensions) ?? []];
  });
}

/** Properties of an operation that depend only on the schema. */
interface OperationPlan {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  policies: (readonly Policy[])[];
  mode: 'read' | 'write';
  execute: ReturnType<typeof compileOnFirstRun>;
}

function createPlan(schema: GraphQLSchema, text: string): OperationPlan {
  const document = withoutTokens(parse(text));
  const [problem] = validate(schema, document);
  const operation = getOperationAST(document);
  if (problem || !operation) throw problem ?? new GraphQLError('expected exactly one operation');
  return {
    document,
    operation,
    policies: rootPolicies(schema, operation),
    mode: operation.operation === 'mutation' ? 'write' : 'read',
    execute: compileOnFirstRun(schema, document),
  };
}

/** Plans keyed by schema and operation text, shared by all graphs of the process. */
const plans = new WeakMap<GraphQLSchema, Map<string, OperationPlan>>();

/** Creates a graph that runs operations on a schema. */
export function createGraph(schema: GraphQLSchema, resources: Resources, log: Logger): AdHocGraph {
  const mask = createErrorMask(schema, log);
  const planCache = plans.get(schema) ?? new Map<string, OperationPlan>();
  plans.set(schema, planCache);
  const operationOf = ({ document, operation, policies, execute }: OperationPlan, mode: OperationPlan['mode']): Operation => ({
    document,
    problems: (variables) => problemsOf(schema, document, operation, variables),
    authorize: (caller) => {
      for (const list of policies) guard(list, caller);
    },
    async run(variables, caller, client) {
      const context = contextOf(resources, caller, mode, client);
      const token = client?.header(consistencyHeader);
      if (token !== undefined) await resources.readYourWrites.waitForWrite(context.sql, token);
      const result = await execute(context, variables);
      return result.errors ? { ...result, errors: result.errors.map(mask) } : result;
    },
  });
  return {
    schema,
    cacheVersion: () => cacheVersion(resources.pools),
    prepare(text, hasCachedResults = false) {
      const operationPlan = planCache.get(text) ?? createPlan(schema, text);
      planCache.set(text, operationPlan);
      return operationOf(operationPlan, hasCachedResults ? 'write' : operationPlan.mode);
    },
    prepareOnce(text) {
      const operationPlan = createPlan(schema, text);
      return operationOf(operationPlan, operationPlan.mode);
    },
  };
}

/** Maximum number of retries for one page of a list, and the pause between them in milliseconds. */
const [maxRetries, pauseMs] = [3, 250];

/**
 * Reads a page of a streamed list, and retries if the database is unavailable. The status of the response has been sent, so the request can
 * no longer fail with 503.
 */
export async function retryUnavailable<T>(readPage: () => Promise<T>): Promise<T> {
  for (let retriesLeft = maxRetries; ; retriesLeft--) {
    try {
      return await readPage();
    } catch (error) {
      if (retriesLeft === 0 || codeOf(error) !== 'UNAVAILABLE') throw error;
      await sleep(pauseMs);
    }
  }
}
