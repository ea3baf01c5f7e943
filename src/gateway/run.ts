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
import type { Caller } from '../kernel/declare/caller.js';
import type { Client } from '../kernel/declare/context.js';
import type { Problem } from '../kernel/declare/errors.js';
import { guard, type Policy, policiesOf } from '../kernel/declare/policy.js';
import { keptVersion } from '../kernel/read/kept-version-sql.js';
import { problemsOf } from './coerce-variables.js';
import { contextOf, type Resources } from './context.js';
import { withoutTokens } from './documents/without-tokens.js';
import { compiledOnce } from './execute.js';
import { masking } from './mask.js';
import { consistencyHeader } from './read-your-writes/index.js';

export { bounded, forGood, remember } from '../kernel/bounded.js';
export { type Caller, mayReport, platformIdOf } from '../kernel/declare/caller.js';
export type { Client } from '../kernel/declare/context.js';
export { instantOf, normalizeInstant } from '../kernel/declare/instant.js';
export { objectMaker } from '../kernel/declare/object-maker.js';
export { policyErrorIn } from '../kernel/declare/policy-error.js';
export { metering } from '../kernel/metering.js';
export { tracing } from '../kernel/tracing.js';
export { usesOf } from './argument-values.js';
export { isKnown, tagOf } from './entity-tag.js';
export { heldHeaders, hold } from './held-headers.js';
export { maxBodyBytes } from './limits.js';
export type { Poll, Polls } from './polls.js';
export { requestIdOf } from './request-id.js';
export { type First, type FirstAnswers, isWorthRetrying, replayed, retryHeader } from './retries/first-answers.js';
export { holdBytes, holdContent, holdList, Room } from './room.js';
export { withPatience } from './with-patience.js';

/** An operation that was parsed, validated and prepared once and is run many times. */
export interface Operation {
  readonly document: DocumentNode;
  /** What is wrong with variables of which only a part could be read, as far as that shows before anything runs. */
  problems(variables: Record<string, unknown>): readonly Problem[];
  /** Throws UNAUTHENTICATED or FORBIDDEN when a policy of a root field refuses the caller, before any argument is looked at. */
  authorize(caller: Caller): void;
  run(variables: Record<string, unknown>, caller: Caller, client?: Client): Promise<ExecutionResult>;
}

/** The graph as its clients inside the process see it: what /v1 is built on. */
export interface Graph {
  readonly schema: GraphQLSchema;
  /** Parses, validates and prepares an operation; throws when a field or variable does not exist. One whose answers are kept reads from the primary. */
  prepare(text: string, isKept?: boolean): Operation;
  /** The version of what may be kept in memory, which was read less than a second ago: with another one, what was kept is out of date. */
  keptVersion(): string | Promise<string>;
}

/** The same for those whose clients have a say in what is asked. */
export interface OpenGraph extends Graph {
  /** Prepares an operation and does not keep it: there is no end of such texts. */
  prepareOnce(text: string): Operation;
}

/** The policies of an operation's root fields. */
function rootPolicies(schema: GraphQLSchema, operation: OperationDefinitionNode) {
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  return operation.selectionSet.selections.flatMap((node) => {
    const field = node.kind === 'Field' ? root?.getFields()[node.name.value] : undefined;
    return [policiesOf(field?.extensions) ?? []];
  });
}

/** What an operation is before anybody runs it: it depends on the schema alone. */
interface OperationPlan {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  policies: (readonly Policy[])[];
  mode: 'read' | 'write';
  execute: ReturnType<typeof compiledOnce>;
}

function plan(schema: GraphQLSchema, text: string): OperationPlan {
  const document = withoutTokens(parse(text));
  const [problem] = validate(schema, document);
  const operation = getOperationAST(document);
  if (problem || !operation) throw problem ?? new GraphQLError('exactly one operation is needed');
  return {
    document,
    operation,
    policies: rootPolicies(schema, operation),
    mode: operation.operation === 'mutation' ? 'write' : 'read',
    execute: compiledOnce(schema, document),
  };
}

/** Plans by schema and text: all graphs of a process over one schema share them. */
const plans = new WeakMap<GraphQLSchema, Map<string, OperationPlan>>();

/** The schema as something that runs operations, for those who know nothing of GraphQL's execution. */
export function createGraph(schema: GraphQLSchema, resources: Resources, log: Logger): OpenGraph {
  const mask = masking(schema, log);
  const known = plans.get(schema) ?? new Map<string, OperationPlan>();
  plans.set(schema, known);
  const operationOf = ({ document, operation, policies, execute }: OperationPlan, mode: OperationPlan['mode']): Operation => ({
    document,
    problems: (variables) => problemsOf(schema, document, operation, variables),
    authorize: (caller) => {
      for (const list of policies) guard(list, caller);
    },
    async run(variables, caller, client) {
      const context = contextOf(resources, caller, mode, client);
      const token = client?.header(consistencyHeader);
      if (token !== undefined) await resources.readYourWrites.after(context.sql, token);
      const result = await execute(context, variables);
      return result.errors ? { ...result, errors: result.errors.map(mask) } : result;
    },
  });
  return {
    schema,
    keptVersion: () => keptVersion(resources.pools),
    prepare(text, isKept = false) {
      const planned = known.get(text) ?? plan(schema, text);
      known.set(text, planned);
      return operationOf(planned, isKept ? 'write' : planned.mode);
    },
    prepareOnce(text) {
      const planned = plan(schema, text);
      return operationOf(planned, planned.mode);
    },
  };
}
