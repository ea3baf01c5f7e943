import type { Failure } from '../data/index.ts';

/**
 * Returns the error of a failed retry. If the job or message no longer exists, the error says that somebody else has retried it.
 */
export const retryFailureOf = (failure: Failure | null, name: 'job' | 'message'): Failure | null =>
  failure?.code === 'NOT_FOUND'
    ? { ...failure, message: `This ${name} is no longer in the list. Somebody else has already retried it.` }
    : failure;
