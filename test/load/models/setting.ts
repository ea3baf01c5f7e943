import { randomUUID } from 'node:crypto';
import { hashOf, newToken } from '../../../src/modules/accounts/tokens/secrets.js';

export interface Tokens {
  readonly platform?: string;
  readonly user?: string;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly user: string;
}

/** Data of a response, keyed by root field, and the code of its first error, or an empty string. */
// biome-ignore lint/suspicious/noExplicitAny: responses have the fields that the models select
export type Answer = { readonly data: Record<string, any>; readonly code: string };

/** Two processes of the service on one database. */
export interface Setting {
  readonly platform: string;
  /** Sends a request to a process, 0 or 1. */
  send(process: number, query: string, variables?: object, tokens?: Tokens): Promise<Answer>;
  rows(statement: string, values?: unknown[]): Promise<unknown>;
  /** Creates a verified user with the given roles and a token. */
  person(overrides?: { roles?: readonly string[]; isSuperAdmin?: boolean; passwordHash?: string }): Promise<Person>;
}

/** Returns a setting. Commands use HTTP. SQL creates users and tokens, because the models do not test sign-on. */
export function settingOf(origins: readonly string[], platform: string, rows: Setting['rows']): Setting {
  return {
    platform,
    rows,
    async send(process, query, variables = {}, tokens = { platform }) {
      const response = await fetch(`${origins[process % origins.length]}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(tokens.platform ? { 'PB-API-TOKEN': tokens.platform } : {}),
          ...(tokens.user ? { 'PB-USER-TOKEN': tokens.user } : {}),
        },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = JSON.parse(await response.text());
      return { data: data ?? {}, code: errors?.[0]?.extensions?.code ?? '' };
    },
    async person({ roles = [], isSuperAdmin = false, passwordHash = undefined } = {}) {
      const id = `model-${randomUUID()}`;
      const user = newToken();
      await rows(
        `insert into app_user (id, email, first_name, is_super_admin, verified_at, password_hash, role_ids)
         values ($1, $2, 'Mo', $3, now(), $4, array(select id from role where title = any($5)))`,
        [id, `${id}@example.com`, isSuperAdmin, passwordHash ?? null, roles],
      );
      await rows(`insert into user_token (id, token_hash, user_id, expires_at) values ($1, $2, $1, now() + interval '1 hour')`, [
        id,
        hashOf(user),
      ]);
      return { id, email: `${id}@example.com`, user };
    },
  };
}
