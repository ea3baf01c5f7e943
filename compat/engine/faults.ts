import { GraphQLError } from 'graphql';
import { codeOf, problem, statuses } from '../../src/kernel/errors.js';
import { type Data, isObject } from './json.js';
import { Mismatch } from './mismatch.js';

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
  if (error instanceof Mismatch) return { status: statuses.BAD_INPUT, message: `${error.field}: ${error.message}` };
  const code = codeOf(error) ?? codeOf(error instanceof GraphQLError ? error.originalError : null);
  if (code === null || code === 'INTERNAL' || !(error instanceof Error)) return masked;
  const status = statuses[code];
  const given = error instanceof GraphQLError ? error.extensions.retryAfter : undefined;
  return { status, message: error.message, retryAfter: typeof given === 'number' ? given : retries[status] };
}

/** Legacy names by the graph's paths, whole and from behind: an error may name `location.city` for `input.location.city`. */
export function legacyNames(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>(pairs);
  for (const [path, legacy] of pairs) {
    const parts = path.split('.');
    for (let from = 1; from < parts.length; from++) {
      const tail = parts.slice(from).join('.');
      if (!names.has(tail)) names.set(tail, legacy);
    }
  }
  return names;
}

/**
 * The legacy name of a value in an item that tables call by what is in it: `sanctions.0.levelTitle` is what they have
 * under `sanctions[body=PPA].levelTitle`, if that item is sent for the body PPA.
 */
function nameInItem(field: string, names: ReadonlyMap<string, string>, variables: Data): string | undefined {
  const [, list = '', index, rest] = /^(?:input\.)?(\w+)\.(\d+)\.(.+)$/.exec(field) ?? [];
  const items = isObject(variables.input) ? variables.input[list] : undefined;
  const item: unknown = Array.isArray(items) ? items[Number(index)] : undefined;
  for (const [key, value] of Object.entries(isObject(item) ? item : {})) {
    const found = names.get(`${list}[${key}=${value}].${rest}`);
    if (found) return found;
  }
  return undefined;
}

/** The legacy name of a graph path, its indexes kept: `bodies.0.id` → `payload.GoverningBodies[0].id`. */
function legacyNameOf(field: string, names: ReadonlyMap<string, string>): string | undefined {
  const indexes: string[] = [];
  const path = field.replace(/\.(\d+)(?=\.|$)|\[(\d+)\]/g, (_, dotted?: string, bracketed?: string) => {
    indexes.push(dotted ?? bracketed ?? '');
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

const coercion = /^Variable "\$\w+" got invalid value .* at "([^"]+)"; /s;

/** An error of the graph in the sender's words: the field by its legacy name. */
export function inLegacyTerms(error: GraphQLError, names: ReadonlyMap<string, string>, variables: Data): GraphQLError {
  if (codeOf(error) !== 'BAD_INPUT') return error;
  const { field = coercion.exec(error.message)?.[1], expected } = error.extensions;
  const legacy = typeof field === 'string' ? (nameInItem(field, names, variables) ?? legacyNameOf(field, names)) : undefined;
  if (!legacy) return error;
  return problem('BAD_INPUT', typeof expected === 'string' ? `${legacy}: expected ${expected}` : `${legacy}: ${error.message}`);
}
