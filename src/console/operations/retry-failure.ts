import type { Failure } from '../data/index.ts';

/** Returns the error of a retry, as it is shown. A job that no longer exists was retried or deleted by somebody else. */
export const retryFailureOf = (failure: Failure | null, name: 'job' | 'message'): Failure | null =>
  failure?.code === 'NOT_FOUND'
    ? { ...failure, message: `This ${name} is no longer in the list. Somebody else has already retried it.` }
    : failure;
