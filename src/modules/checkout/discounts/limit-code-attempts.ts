import { GraphQLError } from 'graphql';
import type { Context } from '../../../kernel/declare/context.js';
import type { Details } from '../../../kernel/declare/errors.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { codeField } from './usable-code.js';

const isRejectedCode = (error: unknown): boolean => {
  const { field, problems = [] } = (error instanceof GraphQLError ? error.extensions : {}) as Details;
  return field === codeField || problems.some((problem) => problem.field === codeField);
};

/** Runs `work`, which checks a discount code. Throws RATE_LIMITED after too many rejected codes of the user. Other calls do not count. */
export async function limitCodeAttempts<T>(
  context: Context,
  code: string | null | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!code?.trim()) return work();
  const undoCount = await context.services.limit(context, 'user.codes', onBehalfOf(context, null));
  try {
    const result = await work();
    await undoCount();
    return result;
  } catch (error) {
    if (!isRejectedCode(error)) await undoCount();
    throw error;
  }
}
