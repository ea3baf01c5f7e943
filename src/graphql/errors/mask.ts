import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { badInput, codeOf, createError, type Details, isCode, statuses } from '../../kernel/declare/errors.js';
import { policyErrorIn } from '../../kernel/declare/policy/policy-error.js';
import { literalProblems } from '../coercion/literals.js';
import { requestIdOfError } from './error-requests.js';
import { commonMessage } from './request-messages.js';

/** Converts an error into one that can be sent to the client. */
export type Mask = (error: unknown) => GraphQLError;

/** Returns the error that was thrown, without the errors that executors wrap around it. */
function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof GraphQLError && root.originalError && !codeOf(root)) root = root.originalError;
  return root;
}

/**
 * Creates a mask. Errors with a known code and errors about the request itself are sent. All others are logged and replaced by
 * INTERNAL. Invalid literals are reported in the format used for variables.
 */
export const masking =
  (schema: GraphQLSchema, log: Logger): Mask =>
  (error) => {
    const root = rootOf(error);
    const requestId = requestIdOfError(error);
    const code = codeOf(root);
    const graphqlError = error instanceof GraphQLError ? error : null;
    const http = graphqlError?.extensions.http;
    const literal = graphqlError ? literalProblems(graphqlError, schema) : [];
    if (literal.length) return withLocation(badInput(literal), graphqlError, http);
    // Keeps the policy error as the original error, because `/v1` rewords it.
    const refusal = policyErrorIn(root);
    if (refusal) return withLocation(refusal, graphqlError, undefined, refusal);
    if (code && root instanceof GraphQLError) {
      const { problems, refusals, field, expected, retryAfter, currentVersion } = root.extensions as Details;
      const details = Object.fromEntries(
        Object.entries({ field, expected, problems, refusals, retryAfter, currentVersion }).filter(
          ([, value]) => value !== undefined,
        ),
      );
      if (code === 'UNAVAILABLE')
        log.warn({ cause: root.cause instanceof Error ? root.cause.message : undefined, requestId }, root.message);
      return withLocation(createError(code, root.message, details), graphqlError);
    }
    // The request itself is invalid, such as its syntax. Invalid arguments and variables have been reported before.
    if (graphqlError && !graphqlError.path) {
      const message = commonMessage(graphqlError.message, graphqlError.extensions.code, statusOf(graphqlError));
      return withLocation(
        new GraphQLError(message, { extensions: { code: requestErrorCode(graphqlError) } }),
        graphqlError,
        http,
      );
    }
    log.error(
      { err: root instanceof Error ? { message: root.message, stack: root.stack } : String(root), requestId },
      'unexpected error',
    );
    return withLocation(createError('INTERNAL', 'internal error'), graphqlError);
  };

/** HTTP status that the server library has set on the error. */
const statusOf = ({ extensions: { http } }: GraphQLError): number | undefined =>
  typeof http === 'object' && http !== null && 'status' in http && typeof http.status === 'number' ? http.status : undefined;

/** Maps library error codes to public codes. Clients only need the library's codes for persisted queries. */
function requestErrorCode(error: GraphQLError): unknown {
  const {
    message,
    extensions: { code },
  } = error;
  if (message === 'provided sha does not match query') return 'PERSISTED_QUERY_MISMATCH';
  if (isCode(code) || String(code).startsWith('PERSISTED_QUERY_')) return code;
  return statusOf(error) === statuses.METHOD_NOT_ALLOWED ? 'METHOD_NOT_ALLOWED' : 'BAD_INPUT';
}

const withLocation = (
  error: GraphQLError,
  graphqlError: GraphQLError | null,
  http?: unknown,
  originalError?: Error,
): GraphQLError =>
  new GraphQLError(error.message, {
    ...(originalError && { originalError }),
    ...(graphqlError?.nodes
      ? { nodes: graphqlError.nodes }
      : { source: graphqlError?.source, positions: graphqlError?.positions }),
    ...(graphqlError?.path ? { path: graphqlError.path } : {}),
    extensions: { ...error.extensions, ...(http ? { http } : {}) },
  });
