import { isCode, statuses } from '../../../src/kernel/declare/errors.js';
import { password, tokens } from './attacked.js';
import type { ReceivedResponse } from './wire.js';

/** Description of a problem with a response, in one sentence. Null if the response has no problem. */
export type ProblemText = string | null;

/** Maximum response time in ms. */
const timeoutMs = 8_000;

/** Texts that no response and no log may contain, in addition to the secrets that were sent. */
const inner: readonly [what: string, RegExp][] = [
  ['a password hash', /\$argon2/],
  ['a stack trace', /\n\s+at .+[:(]\d+|\\n\s+at \S+ \(/],
  ['a file path', /node_modules|dist\/|\.(?:ts|js|mjs):\d+/],
  [
    'a statement',
    /\b(?:select|insert into|delete from|update) .{0,400}\b(?:from|values|where|set)\b.{0,80}(?:\$\d|"\w+"\."|returning)/is,
  ],
  [
    'a database error message',
    /(?:violates|relation|column) .{0,40}"\w+".{0,40}(?:constraint|exist)|invalid (?:input|byte)|SQLSTATE|ECONNREFUSED/,
  ],
];

/** Returns the first secret or internal detail found in a text, or null. */
export function leakIn(text: string): ProblemText {
  const secrets = [tokens.platform, tokens.user, tokens.admin, password];
  if (secrets.some((secret) => text.includes(secret))) return 'contains a secret that was sent';
  const [leak] = inner.filter(([, pattern]) => pattern.test(text));
  return leak ? `contains ${leak[0]}: ${leak[1].exec(text)?.[0].slice(0, 200)}` : null;
}

/** Status for requests that the HTTP server rejects, such as requests with paths or headers that are too long. */
export const tooLongStatus = 431;
const knownStatuses: ReadonlySet<number> = new Set([...Object.values(statuses), tooLongStatus]);

/** Checks a response to any kind of request. `also` lists further permitted statuses. */
export function commonProblem({ status, headers, text, took }: ReceivedResponse, also: readonly number[]): ProblemText {
  if (status === 0) return `no response: ${text}`;
  if (took > timeoutMs) return `the response took ${Math.round(took)} ms`;
  if (status === statuses.UNAVAILABLE) return headers['retry-after'] ? null : '503 without Retry-After';
  if (status >= 500) return `${status}: ${text.slice(0, 300)}`;
  if (!also.includes(status) && !knownStatuses.has(status)) return `the status ${status} is not documented`;
  if (status === statuses.RATE_LIMITED && !headers['retry-after']) return '429 without Retry-After';
  return null;
}

/** Parses a body as JSON. Returns undefined if the body is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the service may return an error code, including those of persisted operations. */
export const isPublicErrorCode = (code: unknown): boolean => isCode(code) || /^PERSISTED_QUERY_/.test(String(code));
