import { type Code, type Details, statuses } from '../kernel/declare/scalars/codes.js';
import type { TextResponse } from './connection.js';
import { type ErrorDetails, type GraphQLError, GraphQLRequestError } from './errors.js';
import { retryAfterSeconds } from './retries.js';

interface Body {
  data?: unknown;
  errors?: readonly { message: string; path?: (string | number)[]; extensions?: Details & { code?: string } }[];
}

const isCode = (code: string | undefined): code is Code => code !== undefined && Object.hasOwn(statuses, code);

/** Returns the error code for a response without a code, such as a response from a proxy. */
const codeForStatus = (status: number): Code =>
  status === 429 ? 'RATE_LIMITED' : [502, 503, 504].includes(status) ? 'UNAVAILABLE' : 'INTERNAL';

const responseDetails = ({ status, headers }: TextResponse): ErrorDetails => ({
  status,
  requestId: headers.get('X-Request-Id') ?? undefined,
  retryAfter: retryAfterSeconds(headers),
});

function bodyOf(response: TextResponse): Body {
  try {
    const body: unknown = JSON.parse(response.text);
    if (typeof body === 'object' && body !== null && ('data' in body || 'errors' in body)) return body as Body;
  } catch {}
  const message = `the response with status ${response.status} is not a GraphQL response`;
  throw new GraphQLRequestError([{ code: codeForStatus(response.status), message }], null, responseDetails(response));
}

const errorOf = ({
  message,
  path,
  extensions: { code, ...details } = {},
}: NonNullable<Body['errors']>[number]): GraphQLError => ({
  ...details,
  code: isCode(code) ? code : 'INTERNAL',
  message,
  ...(path ? { path } : {}),
});

/** Returns the data of a response. Throws a GraphQLRequestError if the response has errors. */
export function dataOf(response: TextResponse): unknown {
  const { data = null, errors = [] } = bodyOf(response);
  const [firstError, ...otherErrors] = errors.map(errorOf);
  if (firstError) throw new GraphQLRequestError([firstError, ...otherErrors], data, responseDetails(response));
  return data;
}
