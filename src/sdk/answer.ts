import { type Code, type Details, statuses } from '../kernel/declare/codes.js';
import type { Heard } from './connection.js';
import { GraphError, type Refusal, type Said } from './errors.js';
import { secondsOf } from './retries.js';

interface Body {
  data?: unknown;
  errors?: readonly { message: string; path?: (string | number)[]; extensions?: Details & { code?: string } }[];
}

const isCode = (code: string | undefined): code is Code => code !== undefined && Object.hasOwn(statuses, code);

/** Error code for a response without one, which comes from a proxy. */
const codeUnder = (status: number): Code =>
  status === 429 ? 'RATE_LIMITED' : [502, 503, 504].includes(status) ? 'UNAVAILABLE' : 'INTERNAL';

const saidBy = ({ status, headers }: Heard): Said => ({
  status,
  requestId: headers.get('X-Request-Id') ?? undefined,
  retryAfter: secondsOf(headers),
});

function bodyOf(heard: Heard): Body {
  try {
    const body: unknown = JSON.parse(heard.text);
    if (typeof body === 'object' && body !== null && ('data' in body || 'errors' in body)) return body as Body;
  } catch {}
  const message = `the answer, with the status ${heard.status}, is none of the graph`;
  throw new GraphError([{ code: codeUnder(heard.status), message }], null, saidBy(heard));
}

const refusalOf = ({ message, path, extensions: { code, ...details } = {} }: NonNullable<Body['errors']>[number]): Refusal => ({
  ...details,
  code: isCode(code) ? code : 'INTERNAL',
  message,
  ...(path ? { path } : {}),
});

/** Data of a response. Throws a GraphError if it has errors. */
export function answerOf(heard: Heard): unknown {
  const { data = null, errors = [] } = bodyOf(heard);
  const [first, ...others] = errors.map(refusalOf);
  if (first) throw new GraphError([first, ...others], data, saidBy(heard));
  return data;
}
