import type { GraphQLSchema } from 'graphql';
import { legacyRecords, legacyRoutes } from '../../../compat/index.js';
import { responseChecker } from '../../compat/matrix.js';
import { commonProblem, jsonOf, leakIn, type ProblemText } from './checks.js';
import type { LegacyCase } from './legacy-requests.js';
import type { ReceivedResponse } from './wire.js';

const errorKeys = 'Code,Message,Timestamp,RequestId';

function wrongError(status: number, text: string): ProblemText {
  const body = jsonOf(text) as Record<string, unknown> | undefined;
  if (!body || typeof body !== 'object') return `${status} without a JSON body: ${text.slice(0, 200)}`;
  if (Object.keys(body).join() !== errorKeys) return `${status} with unexpected keys: ${Object.keys(body)}`;
  const { Code, Message, Timestamp, RequestId } = body;
  const isRight =
    Code === status && typeof Message === 'string' && Message && Number.isInteger(Timestamp) && Number.isInteger(RequestId);
  return isRight ? null : `an invalid error body: ${text.slice(0, 300)}`;
}

/** Returns a function that checks responses of `/v1`. */
export function legacyChecks(schema: GraphQLSchema): (request: LegacyCase, response: ReceivedResponse) => ProblemText {
  const check = responseChecker(schema, legacyRoutes, legacyRecords);
  return ({ entry, sent }, response) => {
    const { status, text, headers } = response;
    const own = entry.alternatives.map(({ reply }) => reply.status);
    const problem = commonProblem(response, [...own, 200, 204, 304]) ?? leakIn(text);
    if (problem) return problem;
    if (sent.method === 'HEAD' || sent.method === 'OPTIONS') return text && sent.method === 'HEAD' ? 'HEAD with a body' : null;
    if (!/^\/+(?:v1|sso_platform)(?:[/?]|$)/.test(sent.path)) return null;
    if (status >= 400) return wrongError(status, text);
    if (status === 204 || status === 304) return text ? `${status} with a body` : null;
    // A changed path or method may match another route.
    if (sent.method !== entry.method || !matches(entry.path, sent.path)) return jsonOf(text) === undefined ? 'no JSON' : null;
    if (!String(headers['content-type']).startsWith('application/json'))
      return `unexpected content type ${headers['content-type']}`;
    return check(entry.method, entry.path, status, jsonOf(text));
  };
}

/** Whether a path matches a route pattern. */
const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[\\w-]+')}(?:\\?|$)`).test(path);
