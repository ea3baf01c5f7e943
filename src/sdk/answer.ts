import { type Code, type Details, statuses } from '../kernel/declare/codes.js';
import type { TextResponse } from './connection.js';
import { type ErrorDetails, GraphError, type Refusal } from './errors.js';
import { secondsOf } from './retries.js';

interface Body {
  data?: unknown;
  errors?: readonly { message: string; path?: (string | number)[]; extensions?: Details & { code?: string } }[];
}

const isCode = (code: string | undefined): code is Code => code !== undefined && Object.hasOwn(statuses, code);

/** Error code for a response without one, which comes from a proxy. */
const codeForStatus = (status: number): Code =>
  status === 429 ? 'RATE_LIMITED' : [502, 503, 504].includes(status) ? 'UNAVAILABLE' : 'INTERNAL';

const responseDetails = ({ status, headers }: TextResponse): ErrorDetails => ({
  status,
  requestId: headers.get('X-Request-Id') ?? undefined,
  retryAfter: secondsOf(headers),
});

function bodyOf(response: TextResponse): Body {
  try {
    const body: unknown = JSON.parse(response.text);
    if (typeof body === 'object' && body !== null && ('data' in body || 'errors' in body)) return body as Body;
  } catch {}
  const message = `the response with status ${response.status} is not a GraphQL response`;
  throw new GraphError([{ code: codeForStatus(response.status), message }], null, responseDetails(response));
}

const refusalOf = ({ message, path, extensions: { code, ...details } = {} }: NonNullable<Body['errors']>[number]): Refusal => ({
  ...details,
  code: isCode(code) ? code : 'INTERNAL',
  message,
  ...(path ? { path } : {}),
});

/** Data of a response. Throws a GraphError if it has errors. */
export function answerOf(response: TextResponse): unknown {
  const { data = null, errors = [] } = bodyOf(response);
  const [first, ...others] = errors.map(refusalOf);
  if (first) throw new GraphError([first, ...others], data, responseDetails(response));
  return data;
}
