import { GraphQLError } from 'graphql';
import { codeOf, createError, type Details, type Rejection } from '../errors.js';

/**
 * Combines errors into one error that has the code and field of the first one. If an error has no code, throws that error instead. If an
 * error has no field, throws the first error instead.
 */
export function combineErrors(errors: readonly GraphQLError[]): GraphQLError {
  const details = errors.map(({ extensions }) => extensions as Details);
  const refusals = errors.flatMap((error, index): Rejection[] => {
    const [code, field] = [codeOf(error), details[index]?.field];
    return code && field ? [{ field, code, message: error.message }] : [];
  });
  const [first] = refusals;
  if (!first || refusals.length < errors.length) throw errors.find((error) => !codeOf(error)) ?? errors[0];
  const problems = details.flatMap((detail) => detail.problems ?? []);
  const message = refusals.map((refusal) => refusal.message).join('; ');
  const expected = details[0]?.expected;
  return createError(first.code, message, {
    field: first.field,
    ...(expected && { expected }),
    ...(problems.length && { problems }),
    refusals,
  });
}

/** Runs all checks, one for each item of an input. If some checks fail, combines their errors with `toError` and throws the result. */
export function checkAll<T>(
  checks: readonly (() => T)[],
  toError: (errors: readonly GraphQLError[]) => GraphQLError = combineErrors,
): T[] {
  const errors: GraphQLError[] = [];
  const results = checks.flatMap((check) => {
    try {
      return [check()];
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      errors.push(error);
      return [];
    }
  });
  if (errors.length) throw toError(errors);
  return results;
}
