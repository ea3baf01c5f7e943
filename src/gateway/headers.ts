import type { IncomingHttpHeaders } from 'node:http';

/** Reads a request's headers by their names in lower case; of several values the first. */
export const headersOf =
  (headers: IncomingHttpHeaders) =>
  (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'object' ? value[0] : value;
  };
