import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import { unexpectedErrorFields } from '../../kernel/database-errors.js';
import type { Client } from '../../kernel/declare/context.js';
import { badInputError, codeOf, createError, type Details, isCode, statuses } from '../../kernel/declare/errors.js';
import { policyErrorIn } from '../../kernel/declare/policy/policy-error.js';
import { recordUnavailability } from '../../kernel/monitoring/request-facts.js';
import { logFieldsOf } from '../../kernel/monitoring/request-fields.js';
import { unavailabilityOf, unavailableCounts } from '../../kernel/monitoring/unavailable.js';
import { literalProblems } from '../coercion/literals.js';

/** Converts an error into one that can be sent to the client. */
export type ErrorMask = (error: unknown) => GraphQLError;

/** Returns the original error, without the errors that executors wrap around it. */
function originalErrorOf(error: unknown): unknown {
  let original = error;
  while (original instanceof GraphQLError && original.originalError && !codeOf(original)) original = original.originalError;
  return original;
}

/**
 * Creates an error mask. Errors with a known code and errors about the request itself are sent. All others are logged and replaced by
 * INTERNAL. Invalid literals are reported in the format used for variables.
 */
export const createErrorMask =
  (schema: GraphQLSchema, log: Logger): ErrorMask =>
  (error) => {
    const original = originalErrorOf(error);
    const client = clientOfError(error);
    const code = codeOf(original);
    const graphqlError = error instanceof GraphQLError ? error : null;
    const http = graphqlError?.extensions.http;
    const problemsOfLiteral = graphqlError ? literalProblems(graphqlError, schema) : [];
    if (problemsOfLiteral.length) return withLocation(badInputError(problemsOfLiteral), graphqlError, http);
    // Keeps the policy error as the original error, because `/v1` rewords it.
    const refusal = policyErrorIn(original);
    if (refusal) return withLocation(refusal, graphqlError, undefined, refusal);
    if (code && original instanceof GraphQLError) {
      const { problems, refusals, field, expected, retryAfter, currentVersion } = original.extensions as Details;
      const details = Object.fromEntries(
        Object.entries({ field, expected, problems, refusals, retryAfter, currentVersion }).filter(
          ([, value]) => value !== undefined,
        ),
      );
      const maskedError = withLocation(createError(code, original.message, details), graphqlError);
      if (code === 'UNAVAILABLE' && !isReported(original)) {
        reportedErrors.add(maskedError);
        reportUnavailability(original, client, log);
      }
      return maskedError;
    }
    // The request itself is invalid, for example because of a syntax error. Invalid arguments and variables are handled above.
    if (graphqlError && !graphqlError.path) {
      const message = commonMessage(graphqlError.message, graphqlError.extensions.code, statusOf(graphqlError));
      return withLocation(
        new GraphQLError(message, { extensions: { code: requestErrorCode(graphqlError) } }),
        graphqlError,
        http,
      );
    }
    log.error(
      { ...unexpectedErrorFields(original), requestId: client?.requestId, route: client?.facts?.route },
      'unexpected error',
    );
    return withLocation(createError('INTERNAL', 'internal error'), graphqlError);
  };

/**
 * Masked UNAVAILABLE errors that have already been reported. The server libraries mask some errors twice, but each error must be reported
 * only once.
 */
const reportedErrors = new WeakSet<GraphQLError>();

const isReported = (error: Error): boolean =>
  error instanceof GraphQLError &&
  (reportedErrors.has(error) || (error.originalError !== undefined && isReported(error.originalError)));

/** Adds the reason for an UNAVAILABLE error to the log line of the request. If there is no request, logs the reason immediately. */
function reportUnavailability(error: GraphQLError, client: Client | undefined, log: Logger): void {
  if (recordUnavailability(error, client?.facts)) return;
  const unavailability = unavailabilityOf(error);
  unavailableCounts.add(unavailability.reason);
  log.warn(
    { requestId: client?.requestId, ...(client?.facts && logFieldsOf(client.facts)), ...unavailability },
    'request unavailable',
  );
}

/** Returns the HTTP status that the server library sets on an error. */
const statusOf = ({ extensions: { http } }: GraphQLError): number | undefined =>
  typeof http === 'object' && http !== null && 'status' in http && typeof http.status === 'number' ? http.status : undefined;

/** Maps error codes of the server library to public codes. Keeps the library's codes for persisted queries, which are public already. */
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

/** Removes duplicate errors. graphql-js reports the same problem once per missing field of an object literal. */
export const uniqueErrors = <T>(errors: readonly T[]): T[] => [
  ...new Map(errors.map((error) => [JSON.stringify(error), error])).values(),
];

/** Clients of the requests in which errors occurred, for the log. They are stored here because error masks receive only the error. */
const clients = new WeakMap<object, Client>();

/** Records the client of the request in which an error occurred. Returns the error. */
export function tagWithClient<T>(error: T, client: Client): T {
  if (typeof error === 'object' && error !== null) clients.set(error, client);
  return error;
}

/** Returns the client of the request in which an error, or the error that it wraps, occurred. Undefined if no client was recorded. */
function clientOfError(error: unknown): Client | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  return clients.get(error) ?? (error instanceof GraphQLError ? clientOfError(error.originalError) : undefined);
}

/** Messages for errors that the two server libraries describe differently. */
const undeterminedOperation = 'Could not determine what operation to execute.';
const postOnly = 'Can only perform a mutation operation from a POST request.';

/**
 * Returns the message for an invalid request, which is the same for both server libraries. Recognizes the errors of Apollo Server by code
 * and status.
 */
function commonMessage(message: string, code: unknown, status: number | undefined): string {
  if (code === 'OPERATION_RESOLUTION_FAILURE') return undeterminedOperation;
  return code === 'BAD_REQUEST' && status === statuses.METHOD_NOT_ALLOWED ? postOnly : message;
}
