import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * Returns a function that reads request headers by lowercase name. If a header has several values, the function returns the first value.
 */
export const headerReaderOf =
  (headers: IncomingHttpHeaders) =>
  (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'object' ? value[0] : value;
  };

/**
 * Joins several `Authorization` headers into one value, as Node does for other headers. Node uses only the first `Authorization`
 * header, which would hide contradictory credentials.
 */
export function joinDuplicateHeaders({ headers, rawHeaders }: IncomingMessage): void {
  if (headers.authorization === undefined) return;
  const isName = (text: string | undefined) => text?.toLowerCase() === 'authorization';
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && isName(rawHeaders[index - 1]));
  headers.authorization = values.join(', ');
}
