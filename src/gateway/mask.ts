import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { badInput, codeOf, type Details, isCode, problem, statuses } from '../kernel/declare/errors.js';
import { policyErrorIn } from '../kernel/declare/policy-error.js';
import { requestOf } from './error-requests.js';
import { literalProblems } from './literals.js';
import { inOneVoice } from './words.js';

/** Turns an error into one that may leave. */
export type Mask = (error: unknown) => GraphQLError;

/** The error that was thrown, under the ones that executors wrap around it. */
function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof GraphQLError && root.originalError && !codeOf(root)) root = root.originalError;
  return root;
}

/**
 * An error as it may leave: thrown on purpose or about the request itself, it goes out; everything else is logged and masked.
 * What is wrong with a literal of the document is told as it is of variables.
 */
export const masking =
  (schema: GraphQLSchema, log: Logger): Mask =>
  (error) => {
    const root = rootOf(error);
    const requestId = requestOf(error);
    const code = codeOf(root);
    const where = error instanceof GraphQLError ? error : null;
    const http = where?.extensions.http;
    const literal = where ? literalProblems(where, schema) : [];
    if (literal.length) return located(badInput(literal), where, http);
    // Keeps the policy error as the original error, because `/v1` rewords it.
    const refusal = policyErrorIn(root);
    if (refusal) return located(refusal, where, undefined, refusal);
    if (code && root instanceof GraphQLError) {
      const { problems, refusals, field, expected, retryAfter, currentVersion } = root.extensions as Details;
      const details = Object.fromEntries(
        Object.entries({ field, expected, problems, refusals, retryAfter, currentVersion }).filter(
          ([, value]) => value !== undefined,
        ),
      );
      if (code === 'UNAVAILABLE')
        log.warn({ cause: root.cause instanceof Error ? root.cause.message : undefined, requestId }, root.message);
      return located(problem(code, root.message, details), where);
    }
    // The request itself was wrong: its syntax or its shape. Values of arguments and variables were told of before anything ran.
    if (where && !where.path) {
      const said = inOneVoice(where.message, where.extensions.code, statusOf(where));
      return located(new GraphQLError(said, { extensions: { code: codeOfRequest(where) } }), where, http);
    }
    log.error(
      { err: root instanceof Error ? { message: root.message, stack: root.stack } : String(root), requestId },
      'unexpected error',
    );
    return located(problem('INTERNAL', 'internal error'), where);
  };

/** The status that the servers have for it, which they write into the error. */
const statusOf = ({ extensions: { http } }: GraphQLError): number | undefined =>
  typeof http === 'object' && http !== null && 'status' in http && typeof http.status === 'number' ? http.status : undefined;

/** The servers have codes of their own for what is wrong with a request; of these, clients have to know persisted queries only. */
function codeOfRequest(error: GraphQLError): unknown {
  const {
    message,
    extensions: { code },
  } = error;
  if (message === 'provided sha does not match query') return 'PERSISTED_QUERY_MISMATCH';
  if (isCode(code) || String(code).startsWith('PERSISTED_QUERY_')) return code;
  return statusOf(error) === statuses.METHOD_NOT_ALLOWED ? 'METHOD_NOT_ALLOWED' : 'BAD_INPUT';
}

const located = (error: GraphQLError, where: GraphQLError | null, http?: unknown, originalError?: Error): GraphQLError =>
  new GraphQLError(error.message, {
    ...(originalError && { originalError }),
    ...(where?.nodes ? { nodes: where.nodes } : { source: where?.source, positions: where?.positions }),
    ...(where?.path ? { path: where.path } : {}),
    extensions: { ...error.extensions, ...(http ? { http } : {}) },
  });
