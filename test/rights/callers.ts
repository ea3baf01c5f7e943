import type { Session } from '../../src/kernel/session.js';
import { hashOf, newToken } from '../../src/modules/accounts/secrets.js';
import roles from '../../src/modules/reference/data/roles.json' with { type: 'json' };
import type { Person, TestApp, Tokens } from '../support/app.js';
import { newKey } from '../support/keys.js';

/** One of those for whom every right is looked at, and what it sends. */
export interface Caller {
  name: string;
  tokens: Tokens;
}

export interface Cast {
  callers: Caller[];
  /** Whose the rows are. */
  owner: Person;
}

/** Nobody, a platform, a publishable key of it, a player, the owner of the rows, a user with each role, a super admin. */
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

let tokens = 0;

/** A token of a person that nobody else uses: it may die of the call. */
export async function freshToken(sql: Session, { id }: Person): Promise<string> {
  const token = newToken();
  tokens += 1;
  await sql.rows(`insert into user_token (id, token_hash, user_id, expires_at) values ($1, $2, $3, now() + interval '1 hour')`, [
    `fresh-${tokens}`,
    hashOf(token),
    id,
  ]);
  return token;
}

/** What a call came to, as far as rights go: `401`, `403`, or `yes` for whoever gets past them. */
export type Verdict = '401' | '403' | 'yes';

/** The table as a text: a line an operation, a column a caller. */
export function tableOf(
  rows: readonly (readonly [name: string, verdicts: readonly Verdict[]])[],
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
