import type { IncomingMessage } from 'node:http';
import { badInput, type Problem } from '../../kernel/declare/errors.js';
import { headersOf } from '../headers.js';

/** What browsers cannot set in the request that opens a socket: it may stand in `connectionParams`, by the same names. */
const names = [
  'authorization',
  'pb-api-token',
  'pb-user-token',
  'apollographql-client-name',
  'graphql-client-name',
  'x-client-name',
];

/** What else counts of the request. */
export const passedOn = [...names, 'origin'] as const;

const asHeader = /^[\x20-\x7e]*$/;

/** The parameters that stand for headers, by their names in lower case. BAD_INPUT for those that no header could hold. */
function fromParams(params: Record<string, unknown>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const problems: Problem[] = [];
  for (const [given, value] of Object.entries(params)) {
    const name = given.toLowerCase();
    if (!names.includes(name) || value === undefined || value === null || value === '') continue;
    if (typeof value === 'string' && asHeader.test(value)) found.set(name, [...(found.get(name) ?? []), value]);
    else problems.push({ field: given, expected: 'a text that a header can hold' });
  }
  if (problems.length) throw badInput(problems);
  return found;
}

/** The headers of a socket: those of the request that opened it, with what its first message brought. What says two things stands side by side, as doubled headers do. */
export function socketHeaders(
  request: IncomingMessage,
  params: Record<string, unknown> = {},
): (name: string) => string | undefined {
  const sent = headersOf(request.headers);
  const added = fromParams(params);
  const both = new Map(
    [...added].map(([name, values]) => [name, [...new Set([sent(name), ...values].filter(Boolean))].join(', ')]),
  );
  return (name) => both.get(name) ?? sent(name);
}
