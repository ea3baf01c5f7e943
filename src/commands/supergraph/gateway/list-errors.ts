import { type ExecutionResult, GraphQLError } from 'graphql';

type Path = readonly (string | number)[];

/** Splits an aggregate error into the errors that it contains. */
function splitAggregateError(error: GraphQLError): GraphQLError[] {
  const { originalError, path = [] } = error;
  if (!(originalError instanceof AggregateError)) return [error];
  return originalError.errors.flatMap(({ message, extensions }) =>
    splitAggregateError(new GraphQLError(message, { path, extensions })),
  );
}

/** Returns the paths of all null values that match a path without list indexes. */
function nullsAt(value: unknown, keys: readonly string[], prefix: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => nullsAt(item, keys, [...prefix, index]));
  const [key, ...rest] = keys;
  if (key === undefined) return value === null ? [prefix] : [];
  if (typeof value !== 'object' || value === null) return [];
  return nullsAt((value as Record<string, unknown>)[key], rest, [...prefix, key]);
}

/**
 * Adds list indexes to the paths of errors, for engines that omit the indexes. Each error gets the path of the next matching null value. If
 * all matching null values already have an error, the error is a duplicate and is dropped.
 */
export function withListIndexes(result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result;
  const nullsByName = new Map<string, Path[]>();
  const errors = result.errors.flatMap(splitAggregateError).flatMap(({ message, path, extensions }) => {
    const keys = (path ?? []).filter((key) => typeof key === 'string');
    const name = keys.join('.');
    const isFirst = !nullsByName.has(name);
    const nulls = nullsByName.get(name) ?? nullsAt(result.data, keys);
    nullsByName.set(name, nulls);
    const nullPath = nulls.shift() ?? (isFirst ? path : undefined);
    return nullPath || !path ? [new GraphQLError(message, { path: nullPath, extensions })] : [];
  });
  return { ...result, errors };
}

/** Whether the value at a path, or one of its parents, is null. */
function isNullAt(data: unknown, path: Path): boolean {
  let value = data;
  for (const key of path) {
    if (value === null) return true;
    if (typeof value !== 'object' || value === undefined) return false;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value === null;
}

/**
 * Moves each error that points to a non-null value to the next matching null value that has no error. In lists with items of several types,
 * some engines report wrong indexes, because they count only the items of some types.
 */
export function moveErrorsToNulls(result: ExecutionResult): ExecutionResult {
  const { data, errors } = result;
  if (!errors) return result;
  const isAtNull = ({ path }: GraphQLError) => !path || isNullAt(data, path);
  const reportedPaths = new Set(errors.filter(isAtNull).map(({ path }) => path?.join('.')));
  const movedErrors = errors.map((error) => {
    if (isAtNull(error)) return error;
    const keys = (error.path ?? []).filter((key) => typeof key === 'string');
    const path = nullsAt(data, keys).find((candidate) => !reportedPaths.has(candidate.join('.')));
    if (!path) return error;
    reportedPaths.add(path.join('.'));
    return new GraphQLError(error.message, { path, extensions: error.extensions });
  });
  return { ...result, errors: movedErrors };
}
