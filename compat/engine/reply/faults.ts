import { GraphQLError } from 'graphql';
import { policyErrorIn } from '../../../src/gateway/run.js';
import { badInput, codeOf, type Details, type Problem, problem, statuses } from '../../../src/kernel/declare/errors.js';
import { type Data, isObject } from '../bind/json.js';
import { Mismatch } from '../bind/mismatch.js';

/** An error as it leaves the service (decision 1). */
export interface Fault {
  readonly status: number;
  readonly message: string;
  /** Seconds for `Retry-After`. */
  readonly retryAfter?: number;
  /** Nobody threw it on purpose: it is logged, and the answer says nothing of it. */
  readonly unexpected?: true;
}

const retries: Readonly<Record<number, number>> = { [statuses.RATE_LIMITED]: 60, [statuses.UNAVAILABLE]: 5 };
const masked: Fault = { status: statuses.INTERNAL, message: 'internal error', unexpected: true };

/** An error as it may leave: what was thrown on purpose with its status and words, anything else masked. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Mismatch) return { status: statuses.BAD_INPUT, message: error.message };
  const code = codeOf(error) ?? codeOf(error instanceof GraphQLError ? error.originalError : null);
  if (code === null || code === 'INTERNAL' || !(error instanceof Error)) return masked;
  const status = statuses[code];
  const given = error instanceof GraphQLError ? error.extensions.retryAfter : undefined;
  return { status, message: error.message, retryAfter: typeof given === 'number' ? given : retries[status] };
}

/** Legacy names by paths of the graph, which begin at an argument: `filter.near.latitude`, `input.location.city`, `input.approvals[].status`. */
export type LegacyNames = ReadonlyMap<string, string>;

/** Names by the paths of variables, put below the arguments that take them: `uuid` is `userId` where the operation says `userId: $uuid`. */
export const legacyNames = (
  pairs: readonly (readonly [string, string])[],
  uses: ReadonlyMap<string, readonly { readonly path: string }[]>,
): LegacyNames =>
  new Map(
    pairs.flatMap(([path, legacy]) => {
      const [variable = ''] = /^\w+/.exec(path) ?? [];
      const names = (uses.get(variable) ?? []).map((use) => [use.path + path.slice(variable.length), legacy] as const);
      // The graph reports a missing variable inside an input as `$name`, without a path.
      return [...names, [`$${path}`, legacy] as const];
    }),
  );

/**
 * The legacy name of a value in an item that tables call by what is in it: `input.sanctions[0].levelTitle` is what they have
 * under `input.sanctions[body=PPA].levelTitle`, if that item is sent for the body PPA.
 */
function nameInItem(field: string, names: LegacyNames, variables: Data): string | undefined {
  const [, list = '', index, rest] = /^input\.(\w+)\[(\d+)\]\.(.+)$/.exec(field) ?? [];
  const items = isObject(variables.input) ? variables.input[list] : undefined;
  const item: unknown = Array.isArray(items) ? items[Number(index)] : undefined;
  for (const [key, value] of Object.entries(isObject(item) ? item : {})) {
    const found = names.get(`input.${list}[${key}=${value}].${rest}`);
    if (found) return found;
  }
  return undefined;
}

/** The legacy name of a graph path, its indexes kept: `input.bodies[0].id` → `payload.GoverningBodies[0].id`. */
function legacyNameOf(field: string, names: LegacyNames): string | undefined {
  const indexes: string[] = [];
  const path = field.replace(/\[(\d+)\]/g, (_, index: string) => {
    indexes.push(index);
    return '[]';
  });
  let found = names.get(path) ?? (path.endsWith('[]') ? names.get(path.slice(0, -2))?.concat('[]') : undefined);
  // What the graph makes of several values is known by the first of them.
  for (let outer = path; !found && outer.includes('.'); ) {
    outer = outer.slice(0, outer.lastIndexOf('.'));
    found = names.get(outer);
  }
  return found?.replaceAll('[]', () => `[${indexes.shift() ?? ''}]`);
}

/** Problems of the graph in the sender's words, of one legacy field the first; what has no legacy name keeps its path. */
export function renamed(problems: readonly Problem[], names: LegacyNames, variables: Data): Problem[] {
  const found = new Map<string, Problem>();
  for (const { field: path, expected } of problems) {
    const field = nameInItem(path, names, variables) ?? legacyNameOf(path, names) ?? path;
    if (!found.has(field)) found.set(field, { field, expected });
  }
  return [...found.values()];
}

/** Rewords a refusal for `/v1`: `permission` instead of `role`, and FORBIDDEN for callers with any token. Returns other errors unchanged. */
export function legacyRefusal<E>(error: E): E | GraphQLError {
  const refusal = policyErrorIn(error);
  if (!refusal) return error;
  const { policies, hasToken, field } = refusal.reason;
  const names = policies.map(({ name, role }) => (role ? `permission ${role}` : name)).join(' or ');
  const place = field ? `${field}: ` : '';
  return hasToken
    ? problem('FORBIDDEN', `${place}only for: ${names}`, { ...(field && { field }) })
    : problem('UNAUTHENTICATED', `${place}a token is needed: ${names}`, { ...(field && { field }) });
}

/** An error of the graph in the sender's words. */
export function inLegacyTerms(found: GraphQLError, names: LegacyNames, variables: Data): GraphQLError {
  const error = legacyRefusal(found);
  const { problems, field } = error.extensions as Details;
  if (problems?.length) return badInput(renamed(problems, names, variables));
  const [named] = field && error.message.startsWith(`${field}: `) ? renamed([{ field, expected: '' }], names, variables) : [];
  return named && field ? new GraphQLError(named.field + error.message.slice(field.length), error) : error;
}
