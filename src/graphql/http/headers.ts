import type { IncomingHttpHeaders } from 'node:http';

/** Returns a function that reads request headers by lowercase name. It returns the first of several values. */
export const headersOf =
  (headers: IncomingHttpHeaders) =>
  (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'object' ? value[0] : value;
  };
