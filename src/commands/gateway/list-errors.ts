import { type ExecutionResult, GraphQLError } from 'graphql';

type Path = readonly (string | number)[];

/** Errors that were told as one, one by one. */
function apart(error: GraphQLError): GraphQLError[] {
  const { originalError, path = [] } = error;
  if (!(originalError instanceof AggregateError)) return [error];
  return originalError.errors.flatMap(({ message, extensions }) => apart(new GraphQLError(message, { path, extensions })));
}

/** The places of a path, which may lack the indices of lists, at which there is null. */
function nullsAt(value: unknown, keys: readonly string[], before: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => nullsAt(item, keys, [...before, index]));
  const [key, ...rest] = keys;
  if (key === undefined) return value === null ? [before] : [];
  if (typeof value !== 'object' || value === null) return [];
  return nullsAt((value as Record<string, unknown>)[key], rest, [...before, key]);
}

/**
 * The errors of an engine that tells those of list items together, without their indices, and some of them twice: each at one of the
 * values that are null there, in their order. Where more is null, the rest may be so without an error.
 */
export function withIndices(result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result;
  const places = new Map<string, Path[]>();
  const errors = result.errors.flatMap(apart).flatMap(({ message, path, extensions }) => {
    const keys = (path ?? []).filter((key) => typeof key === 'string');
    const name = keys.join('.');
    const isFirst = !places.has(name);
    const left = places.get(name) ?? nullsAt(result.data, keys);
    places.set(name, left);
    const place = left.shift() ?? (isFirst ? path : undefined);
    return place || !path ? [new GraphQLError(message, { path: place, extensions })] : [];
  });
  return { ...result, errors };
}

/** Whether a path leads to null, or to a value below null. */
function leadsToNull(data: unknown, path: Path): boolean {
  let value = data;
  for (const key of path) {
    if (value === null) return true;
    if (typeof value !== 'object' || value === undefined) return false;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value === null;
}

/**
 * The errors of an engine that counts only the items of some types in a list of several types: an error at a value that is not null moves to the
 * next value of the list that is null without an error.
 */
export function atNulls(result: ExecutionResult): ExecutionResult {
  const { data, errors } = result;
  if (!errors) return result;
  const isPlaced = ({ path }: GraphQLError) => !path || leadsToNull(data, path);
  const taken = new Set(errors.filter(isPlaced).map(({ path }) => path?.join('.')));
  const placed = errors.map((error) => {
    if (isPlaced(error)) return error;
    const keys = (error.path ?? []).filter((key) => typeof key === 'string');
    const path = nullsAt(data, keys).find((place) => !taken.has(place.join('.')));
    if (!path) return error;
    taken.add(path.join('.'));
    return new GraphQLError(error.message, { path, extensions: error.extensions });
  });
  return { ...result, errors: placed };
}
