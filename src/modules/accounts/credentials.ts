import { reject } from '../../kernel/declare/errors.js';
import { allOf } from '../../kernel/declare/problems.js';
import { isKey } from './secrets.js';

/** A header of a request by its name in lower case. */
export type Header = (name: string) => string | undefined;

/** What a request signs in with. */
export interface Credentials {
  /** What PB-API-TOKEN holds: a platform token or a publishable key. */
  apiToken: string | undefined;
  /** What looks like a publishable key, in PB-API-TOKEN or as a bearer. */
  key: string | undefined;
  /** A user token, in PB-USER-TOKEN or as a bearer. */
  userToken: string | undefined;
}

/** The one value of a header. Several headers of a name come as one text, with a comma and a space between, which no token holds. */
function oneValue(header: Header, name: string): string | undefined {
  const sent = header(name.toLowerCase());
  if (!sent?.includes(', ')) return sent || undefined;
  const [value, ...others] = new Set(sent.split(', '));
  return others.length ? reject(name, 'one value') : value || undefined;
}

const names = ['Authorization', 'PB-API-TOKEN', 'PB-USER-TOKEN'] as const;
const inLowerCase = names.map((name) => name.toLowerCase());

/** Texts that clients send when they have no token, such as the `null` of JavaScript. */
const absent = /^\s*(?:bearer(?: +(?:null|undefined))?|null|undefined)?\s*$/i;

/** The token headers, without those that hold no token. */
function tokensOf(header: Header): (string | undefined)[] {
  const sent = inLowerCase.map(header);
  const tokens = sent.some((text) => text?.includes(', ')) ? allOf(...names.map((name) => () => oneValue(header, name))) : sent;
  return tokens.map((text) => (text === undefined || absent.test(text) ? undefined : text));
}

const bearerForm = /^bearer +([!-~]+) *$/i;

/**
 * Reads the token headers. A blank one, `null` and `undefined` are absent. `Authorization: Bearer` carries a user token or a publishable key, told apart by
 * the key's prefix, and never a platform token: what lets a program write payments has no place in the header that pages use.
 * BAD_INPUT when it has another form, or says something else than the PB header of the same meaning, or when a header says two things.
 */
export function credentialsOf(header: Header): Credentials {
  const [authorization, apiToken, userToken] = tokensOf(header);
  if (authorization === undefined) return { apiToken, key: apiToken && isKey(apiToken) ? apiToken : undefined, userToken };
  const bearer =
    bearerForm.exec(authorization)?.[1] ?? reject('Authorization', '`Bearer` and a user token or a publishable key behind it');
  if (isKey(bearer)) {
    if (apiToken && apiToken !== bearer)
      reject('Authorization', 'the publishable key that PB-API-TOKEN holds, or only one of the two');
    return { apiToken, key: bearer, userToken };
  }
  if (userToken && userToken !== bearer)
    reject('Authorization', 'the user token that PB-USER-TOKEN holds, or only one of the two');
  return { apiToken, key: apiToken && isKey(apiToken) ? apiToken : undefined, userToken: bearer };
}

/** The publishable key that a request names, if it names one, whatever else is wrong with its headers. */
export function keyNamed(header: Header): string | undefined {
  const named = [header('pb-api-token'), bearerForm.exec(header('authorization') ?? '')?.[1]];
  return named.find((text) => text !== undefined && isKey(text));
}
