import { Ajv2020 } from 'ajv/dist/2020.js';
import type { GraphQLSchema } from 'graphql';
import {
  codecsOf,
  entriesOf,
  type LegacyRecord,
  type Route,
  type RouteEntry,
  type Routes,
  readsUserToken,
} from '../../compat/engine/index.js';
import { schemasOf } from '../../compat/reference/schemas.js';
import type { GoldenHost } from '../support/checks/golden.js';

/** A request that must be rejected before any other check (decision 9). */
export interface RejectedRequest {
  /** Operation, such as `GET /v1/data/teams/{uuid}`. */
  readonly operation: string;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly status: number;
}

const permits = ({ alternatives }: RouteEntry, caller: 'platform' | 'user'): boolean =>
  alternatives.some(
    ({ auth, ownUserParam }: Route) => auth === 'anyone' || auth === 'platformOrUser' || (auth === caller && !ownUserParam),
  );

/**
 * Returns the requests that each route must reject: without a token, with an unknown token, with a token of the wrong kind, or with the
 * path of another user.
 */
export function rejectedRequests(tables: readonly Routes[], { tokens }: Pick<GoldenHost, 'tokens'>): RejectedRequest[] {
  return entriesOf(tables).flatMap((entry) => {
    const { method, path, alternatives } = entry;
    const requiresToken = alternatives.every(({ auth }) => auth !== 'anyone');
    const isOwnOnly = alternatives.every(({ ownUserParam }) => ownUserParam);
    const readsUser = alternatives.some(readsUserToken);
    const asPlatform = { 'PB-API-TOKEN': tokens.platform };
    const cases: [boolean, string, number, Record<string, string>][] = [
      [requiresToken, 'no token', 401, {}],
      [true, 'an unknown platform token', 401, { 'PB-API-TOKEN': 'garbage' }],
      [requiresToken || readsUser, 'an unknown user token', 401, { 'PB-USER-TOKEN': 'garbage' }],
      [readsUser, 'an unknown user token and a platform token', 401, { ...asPlatform, 'PB-USER-TOKEN': 'garbage' }],
      [!permits(entry, 'platform'), 'a platform token', 401, asPlatform],
      [!permits(entry, 'user'), 'a user token', 403, { 'PB-USER-TOKEN': tokens.user }],
      [isOwnOnly, "another user's token", 403, { 'PB-USER-TOKEN': tokens.user }],
    ];
    return cases
      .filter(([applies]) => applies)
      .map(([, token, status, headers]) => ({
        operation: `${method} ${path}`,
        title: `${method} ${path} with ${token} returns ${status}`,
        method,
        path: path.replaceAll(/[{}]/g, ''),
        headers,
        status,
      }));
  });
}

/**
 * A request with a user token that must be ignored: the response must equal the response to the request without the token (decision 53).
 */
export interface IgnoredToken {
  /** Operation, such as `GET /v1/data/teams/{uuid}`. */
  readonly operation: string;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly userToken: string;
}

const noTokens = ['', ' ', 'null', 'Undefined'];

/**
 * Returns requests with user tokens that each route must ignore: empty tokens and, if the route does not act for a user, invalid tokens.
 */
export function ignoredTokens(tables: readonly Routes[], { tokens }: Pick<GoldenHost, 'tokens'>): IgnoredToken[] {
  const callers = { nobody: {}, 'a platform': { 'PB-API-TOKEN': tokens.platform } };
  return entriesOf(tables).flatMap(({ method, path, alternatives }) => {
    const userTokens = alternatives.some(readsUserToken) ? noTokens : [...noTokens, 'garbage'];
    return Object.entries(callers).flatMap(([caller, headers]) =>
      userTokens.map((userToken) => ({
        operation: `${method} ${path}`,
        title: `${JSON.stringify(userToken)} by ${caller}`,
        method,
        path: path.replaceAll(/[{}]/g, ''),
        headers,
        userToken,
      })),
    );
  });
}

/** Describes how a response violates the schema of its operation: keys, types, unknown keys. Null for a valid response. */
export type Checker = (method: string, path: string, status: number, body: unknown) => string | null;

export function responseChecker(schema: GraphQLSchema, tables: readonly Routes[], records: readonly LegacyRecord[]): Checker {
  const problems: string[] = [];
  const codecs = codecsOf(schema, records, (problem) => problems.push(problem));
  if (problems.length) throw new Error(problems.join('\n'));
  const recordSchema = schemasOf(schema, records, codecs);
  const schemas = Object.fromEntries(records.flatMap(({ name, type }) => (type ? [[name, recordSchema(name)]] : [])));
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const entries = entriesOf(tables);
  const bodies = entries.map(({ alternatives }) => ({
    anyOf: alternatives.map(({ reply }) => reply.schema ?? { type: 'null' }),
  }));
  // All schemas are in one document, so that a schema that operations share is compiled only once.
  ajv.addSchema({ $id: 'interface', components: { schemas }, bodies });
  const indexes = new Map(entries.map(({ method, path }, index) => [`${method} ${path}`, index]));
  return (method, path, status, body) => {
    const index = indexes.get(`${method} ${path}`) ?? -1;
    const replies = entries[index]?.alternatives.map(({ reply }) => reply);
    if (!replies) return 'there is no such operation';
    if (!replies.some((reply) => reply.status === status || reply.isCustom))
      return `the status ${status} is none of the operation's`;
    // 204 and 304 have no body.
    if (body === null && (status === 204 || status === 304)) return null;
    const valid = ajv.validate({ $ref: `interface#/bodies/${index}` }, body);
    return valid ? null : ajv.errorsText(ajv.errors, { dataVar: 'body', separator: '\n' });
  };
}
