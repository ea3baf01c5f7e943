import type { IncomingMessage } from 'node:http';
import { badInputError, type Problem } from '../../kernel/declare/errors.js';
import { headerReaderOf } from '../http/request-headers.js';

/** Headers that clients can also send in `connectionParams`, because browsers cannot set them on WebSocket requests. */
const paramNames = [
  'authorization',
  'pb-api-token',
  'pb-user-token',
  'apollographql-client-name',
  'graphql-client-name',
  'x-client-name',
];

/** Headers of a socket that are forwarded to its operations. */
export const forwardedHeaders = [...paramNames, 'origin'] as const;

const headerPattern = /^[\x20-\x7e]*$/;

/**
 * Returns the header values in the connection parameters, keyed by lowercase name. Throws BAD_INPUT for values that are not valid in
 * headers.
 */
function headersFromParams(params: Record<string, unknown>): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  const problems: Problem[] = [];
  for (const [key, value] of Object.entries(params)) {
    const name = key.toLowerCase();
    if (!paramNames.includes(name) || value === undefined || value === null || value === '') continue;
    if (typeof value === 'string' && headerPattern.test(value)) headers.set(name, [...(headers.get(name) ?? []), value]);
    else problems.push({ field: key, expected: 'printable ASCII text' });
  }
  if (problems.length) throw badInputError(problems);
  return headers;
}

/**
 * Returns the headers of a WebSocket, from the upgrade request and the connection parameters. Different values for one header are joined,
 * like duplicate headers.
 */
export function socketHeaders(
  request: IncomingMessage,
  params: Record<string, unknown> = {},
): (name: string) => string | undefined {
  const requestHeader = headerReaderOf(request.headers);
  const paramHeaders = headersFromParams(params);
  const mergedHeaders = new Map(
    [...paramHeaders].map(([name, values]) => [name, [...new Set([requestHeader(name), ...values].filter(Boolean))].join(', ')]),
  );
  return (name) => mergedHeaders.get(name) ?? requestHeader(name);
}
