import type { Session } from '../../src/kernel/session.js';
import { hashOf, newToken } from '../../src/modules/accounts/tokens/secrets.js';
import roles from '../../src/modules/reference/data/roles.json' with { type: 'json' };
import { newKey } from '../support/fixtures/publishable-keys.js';
import type { Person, TestApp, Tokens } from '../support/servers/app.js';

/** A caller for which every permission is checked, with its tokens. */
export interface Caller {
  name: string;
  tokens: Tokens;
}

export interface Cast {
  callers: Caller[];
  /** Owner of the rows that callers act on. */
  owner: Person;
}

/**
 * Creates the callers: anonymous, platform, publishable key of the platform, player, owner of the rows, one user for each role, super
 * admin.
 */
export async function castOf(app: TestApp): Promise<Cast> {
  const owner = await app.person({ firstName: 'Olga' });
  const player = await app.person({ firstName: 'Paul' });
  const withRoles: Caller[] = [];
  for (const { title } of roles) withRoles.push({ name: title, tokens: { user: (await app.person({ roles: [title] })).user } });
  const { user: superAdmin } = await app.person({ isSuperAdmin: true });
  return {
    owner,
    callers: [
      { name: 'nobody', tokens: {} },
      { name: 'platform', tokens: app.platform },
      { name: 'key', tokens: { platform: (await newKey(app)).key } },
      { name: 'player', tokens: { user: player.user } },
      { name: 'owner', tokens: { user: owner.user } },
      ...withRoles,
      { name: 'super admin', tokens: { user: superAdmin } },
    ],
  };
}

let tokenCount = 0;

/** Creates a user token for a call that may revoke it. */
export async function freshToken(sql: Session, { id }: Person): Promise<string> {
  const token = newToken();
  tokenCount += 1;
  await sql.rows(`insert into user_token (id, token_hash, user_id, expires_at) values ($1, $2, $3, now() + interval '1 hour')`, [
    `fresh-${tokenCount}`,
    hashOf(token),
    id,
  ]);
  return token;
}

/** Makes the tokens of the callers valid again, after a call that ended all sessions of a user. */
export const restoreSessions = (sql: Session): Promise<unknown> =>
  sql.rows(`update user_token set revoked_at = null where id like 'token-%' and revoked_at is not null`);

/** Result of the permission check of a call: `401`, `403`, or `yes` if the call is permitted. */
export type Verdict = '401' | '403' | 'yes';

/** Formats verdicts as a text table: one line per operation, one column per caller. */
export function tableOf(
  rows: readonly (readonly [name: string, verdicts: readonly string[]])[],
  callers: readonly Caller[],
): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)}  ${cells.map((cell, index) => cell.padEnd(callers[index]?.name.length ?? 0)).join('  ')}`.trimEnd();
  const head = line(
    '',
    callers.map(({ name }) => name),
  );
  return `${[head, ...rows.map(([name, verdicts]) => line(name, verdicts))].join('\n')}\n`;
}
