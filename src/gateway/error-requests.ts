/** The requests in which errors happened, for the log: masks see errors alone. */
const requests = new WeakMap<object, number>();

/** Notes in which request an error happened; the error. */
export function inRequest<T>(error: T, requestId: number | undefined): T {
  if (requestId !== undefined && typeof error === 'object' && error !== null) requests.set(error, requestId);
  return error;
}

/** The number of the request in which an error happened; undefined where none is known. */
export const requestOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null ? requests.get(error) : undefined;
