import { GraphQLError } from 'graphql';
import { policyErrorIn } from '../../../src/graphql/run.js';
import { badInputError, codeOf, createError, type Details, type Problem, statuses } from '../../../src/kernel/declare/errors.js';
import { InvalidValueError } from '../bind/invalid-value-error.js';
import { type Data, isObject } from '../bind/json.js';

/** An error with its HTTP status (decision 1). */
export interface HttpError {
  readonly status: number;
  readonly message: string;
  /** Value of `Retry-After`, in seconds. */
  readonly retryAfter?: number;
  /** Whether the error is unexpected. Unexpected errors are logged, and their responses contain no details. */
  readonly unexpected?: true;
}

const retryDelays: Readonly<Record<number, number>> = { [statuses.RATE_LIMITED]: 60, [statuses.UNAVAILABLE]: 5 };
const maskedError: HttpError = { status: statuses.INTERNAL, message: 'internal error', unexpected: true };

/** Converts a thrown value to an HTTP error. Expected errors keep their status and message. Other errors become a 500 without details. */
export function httpErrorOf(error: unknown): HttpError {
  if (error instanceof InvalidValueError) return { status: statuses.BAD_INPUT, message: error.message };
  const code = codeOf(error) ?? codeOf(error instanceof GraphQLError ? error.originalError : null);
  if (code === null || code === 'INTERNAL' || !(error instanceof Error)) return maskedError;
  const status = statuses[code];
  const requestedDelay = error instanceof GraphQLError ? error.extensions.retryAfter : undefined;
  return {
    status,
    message: error.message,
    retryAfter: typeof requestedDelay === 'number' ? requestedDelay : retryDelays[status],
  };
}

/** Legacy names keyed by GraphQL path, such as `filter.near.latitude`, `input.location.city` or `input.approvals[].status`. */
export type LegacyNames = ReadonlyMap<string, string>;

/**
 * Converts legacy names keyed by variable path to names keyed by argument path. The key `uuid` becomes `userId` if the operation contains
 * `userId: $uuid`.
 */
export const legacyNamesByPath = (
  pairs: readonly (readonly [string, string])[],
  variableUses: ReadonlyMap<string, readonly { readonly path: string }[]>,
): LegacyNames =>
  new Map(
    pairs.flatMap(([path, legacy]) => {
      const [variable = ''] = /^\w+/.exec(path) ?? [];
      const names = (variableUses.get(variable) ?? []).map((use) => [use.path + path.slice(variable.length), legacy] as const);
      // GraphQL reports a missing variable within an input as `$name`, without its path.
      return [...names, [`$${path}`, legacy] as const];
    }),
  );

/**
 * Returns the legacy name of a value in a list item that a record table identifies by a field, not by an index. For
 * `input.sanctions[0].levelTitle`, returns the name of `input.sanctions[body=PPA].levelTitle` if the item has the `body` PPA.
 */
function nameInItem(field: string, names: LegacyNames, variables: Data): string | undefined {
  const [, list = '', index, rest] = /^input\.(\w+)\[(\d+)\]\.(.+)$/.exec(field) ?? [];
  const items = isObject(variables.input) ? variables.input[list] : undefined;
  const item: unknown = Array.isArray(items) ? items[Number(index)] : undefined;
  for (const [key, value] of Object.entries(isObject(item) ? item : {})) {
    const legacyName = names.get(`input.${list}[${key}=${value}].${rest}`);
    if (legacyName) return legacyName;
  }
  return undefined;
}

/** Returns the legacy name of a GraphQL path, with its list indexes: `input.bodies[0].id` → `payload.GoverningBodies[0].id`. */
function legacyNameOf(field: string, names: LegacyNames): string | undefined {
  const indexes: string[] = [];
  const path = field.replace(/\[(\d+)\]/g, (_, index: string) => {
    indexes.push(index);
    return '[]';
  });
  let legacyName = names.get(path) ?? (path.endsWith('[]') ? names.get(path.slice(0, -2))?.concat('[]') : undefined);
  // A value without a legacy name uses the name of its closest parent with a legacy name.
  for (let parentPath = path; !legacyName && parentPath.includes('.'); ) {
    parentPath = parentPath.slice(0, parentPath.lastIndexOf('.'));
    legacyName = names.get(parentPath);
  }
  return legacyName?.replaceAll('[]', () => `[${indexes.shift() ?? ''}]`);
}

/**
 * Replaces the GraphQL paths of problems with legacy names, and keeps at most one problem per field. Paths without a legacy name do not
 * change.
 */
export function withLegacyNames(problems: readonly Problem[], names: LegacyNames, variables: Data): Problem[] {
  const problemsByField = new Map<string, Problem>();
  for (const { field: path, expected } of problems) {
    const field = nameInItem(path, names, variables) ?? legacyNameOf(path, names) ?? path;
    if (!problemsByField.has(field)) problemsByField.set(field, { field, expected });
  }
  return [...problemsByField.values()];
}

/**
 * Rewords the error of a GraphQL policy for `/v1`: `permission` instead of `role`, and FORBIDDEN for callers with any token. Returns other
 * errors unchanged.
 */
export function legacyPolicyError<E>(error: E): E | GraphQLError {
  const policyError = policyErrorIn(error);
  if (!policyError) return error;
  const { policies, hasToken, field } = policyError.reason;
  const names = policies.map(({ name, role }) => (role ? `permission ${role}` : name)).join(' or ');
  const prefix = field ? `${field}: ` : '';
  return hasToken
    ? createError('FORBIDDEN', `${prefix}only for: ${names}`, { ...(field && { field }) })
    : createError('UNAUTHENTICATED', `${prefix}a token is needed: ${names}`, { ...(field && { field }) });
}

/** Rewords a GraphQL error for `/v1`. Legacy names replace GraphQL paths. */
export function legacyError(graphError: GraphQLError, names: LegacyNames, variables: Data): GraphQLError {
  const error = legacyPolicyError(graphError);
  const { problems, field } = error.extensions as Details;
  if (problems?.length) return badInputError(withLegacyNames(problems, names, variables));
  const [renamedProblem] =
    field && error.message.startsWith(`${field}: `) ? withLegacyNames([{ field, expected: '' }], names, variables) : [];
  return renamedProblem && field ? new GraphQLError(renamedProblem.field + error.message.slice(field.length), error) : error;
}
