import { GraphQLError } from 'graphql';
import { createError } from '../declare/errors.js';
import { Counts } from './counts.js';

/** All reasons for UNAVAILABLE errors. */
export const unavailableReasons = ['overload', 'deadline', 'database', 'starting', 'stopping', 'subscriptions', 'other'] as const;

/** Reason why a request failed with UNAVAILABLE or status 503. */
export type UnavailableReason = (typeof unavailableReasons)[number];

/** Details of an UNAVAILABLE error for the log and metrics. Clients do not receive them. */
export interface Unavailability {
  readonly reason: UnavailableReason;
  /** Readable cause, such as `disk full`, or the name of the limit that was reached. */
  readonly cause?: string;
  /** SQLSTATE, or code of the system error. */
  readonly code?: string;
}

/** Number of requests that the service could not process, by reason. */
export const unavailableCounts = new Counts(unavailableReasons);

const unavailabilities = new WeakMap<object, Unavailability>();

/** Creates an UNAVAILABLE error. `retryAfter` is in seconds. */
export function createUnavailableError(unavailability: Unavailability, message: string, retryAfter?: number): GraphQLError {
  const error = createError('UNAVAILABLE', message, retryAfter === undefined ? {} : { retryAfter });
  unavailabilities.set(error, unavailability);
  return error;
}

/** Returns the details of an UNAVAILABLE error, which an executor may have wrapped in another error. */
export function unavailabilityOf(error: object): Unavailability {
  const unavailability = unavailabilities.get(error);
  if (unavailability) return unavailability;
  return error instanceof GraphQLError && error.originalError ? unavailabilityOf(error.originalError) : { reason: 'other' };
}
