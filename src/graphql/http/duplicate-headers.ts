import type { IncomingMessage } from 'node:http';

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
