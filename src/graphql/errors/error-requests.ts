/** Request IDs of errors, for the log. Error masks receive only the error. */
const requests = new WeakMap<object, number>();

/** Records the request in which an error occurred. Returns the error. */
export function tagWithRequestId<T>(error: T, requestId: number | undefined): T {
  if (requestId !== undefined && typeof error === 'object' && error !== null) requests.set(error, requestId);
  return error;
}

/** ID of the request in which an error occurred, if recorded. */
export const requestIdOfError = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null ? requests.get(error) : undefined;
