import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { hasKeyPrefix } from '../tokens/secrets.js';

/** Returns the value of a request header. The name is in lower case. */
export type ReadHeader = (name: string) => string | undefined;

/** Credentials in the headers of a request. */
export interface Credentials {
  /** Value of PB-API-TOKEN: a platform token or a publishable key. */
  apiToken: string | undefined;
  /** Text with the prefix of publishable keys, in PB-API-TOKEN or as a bearer token. */
  key: string | undefined;
  /** User token, in PB-USER-TOKEN or as a bearer token. */
  userToken: string | undefined;
}

/**
 * Returns the value of a header. Node joins repeated headers with `, `, which no token contains. Rejects repeated headers whose values
 * differ.
 */
function singleValue(header: ReadHeader, name: string): string | undefined {
  const text = header(name.toLowerCase());
  if (!text?.includes(', ')) return text || undefined;
  const [value, ...otherValues] = new Set(text.split(', '));
  return otherValues.length ? reject(name, 'one value') : value || undefined;
}

const headerNames = ['Authorization', 'PB-API-TOKEN', 'PB-USER-TOKEN'] as const;
const lowerCaseNames = headerNames.map((name) => name.toLowerCase());

/** Header values that clients send when they have no token, such as the text `null`. */
const absentToken = /^\s*(?:bearer(?: +(?:null|undefined))?|null|undefined)?\s*$/i;

/** Returns the values of the token headers. Undefined for headers without a token. */
function tokenHeaders(header: ReadHeader): (string | undefined)[] {
  const values = lowerCaseNames.map(header);
  const tokens = values.some((text) => text?.includes(', '))
    ? runChecks(...headerNames.map((name) => () => singleValue(header, name)))
    : values;
  return tokens.map((text) => (text === undefined || absentToken.test(text) ? undefined : text));
}

const bearerPattern = /^bearer +([!-~]+) *$/i;

/**
 * Reads the token headers. Blank values and the texts `null` and `undefined` count as absent. `Authorization: Bearer` contains a
 * publishable key, recognized by its prefix, or a user token. It never contains a platform token, because web pages use this header. Throws
 * BAD_INPUT for malformed or contradictory headers.
 */
export function credentialsOf(header: ReadHeader): Credentials {
  const [authorization, apiToken, userToken] = tokenHeaders(header);
  if (authorization === undefined) return { apiToken, key: apiToken && hasKeyPrefix(apiToken) ? apiToken : undefined, userToken };
  const bearer =
    bearerPattern.exec(authorization)?.[1] ?? reject('Authorization', '`Bearer` followed by a user token or a publishable key');
  if (hasKeyPrefix(bearer)) {
    if (apiToken && apiToken !== bearer)
      reject('Authorization', 'the same publishable key as in PB-API-TOKEN, or only one of the two headers');
    return { apiToken, key: bearer, userToken };
  }
  if (userToken && userToken !== bearer)
    reject('Authorization', 'the same user token as in PB-USER-TOKEN, or only one of the two headers');
  return { apiToken, key: apiToken && hasKeyPrefix(apiToken) ? apiToken : undefined, userToken: bearer };
}

/** Throws the error for requests without a user token. */
export const throwNotSignedIn = (): never =>
  fail('UNAUTHENTICATED', 'Authentication required: send a user token (header PB-USER-TOKEN)');

/** Returns the ID of the signed-in user. Throws UNAUTHENTICATED without a user token. */
export const signedInUserId = ({ caller: { user } }: Pick<Context, 'caller'>): string => user?.id ?? throwNotSignedIn();

/** Returns the publishable key in the headers, even if the headers are otherwise invalid. */
export function findPublishableKey(header: ReadHeader): string | undefined {
  const candidates = [header('pb-api-token'), bearerPattern.exec(header('authorization') ?? '')?.[1]];
  return candidates.find((text) => text !== undefined && hasKeyPrefix(text));
}
