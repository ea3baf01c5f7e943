import { LRUCache } from 'lru-cache';
import type { Caller, PlatformCaller, UserCaller } from '../../kernel/caller.js';
import { type Source, Sql } from '../../kernel/sql.js';
import { hashOf } from './secrets.js';

const platformSql = 'select id, name from platform where token_hash = $1 and is_active';

const userSql = `
  select u.id, concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')) as name, u.is_super_admin as "isSuperAdmin", array(
    with recursive held as (
      select role.id, role.title, role.inherited_ids from role where role.id = any(u.role_ids)
      union select role.id, role.title, role.inherited_ids from role join held on role.id = any(held.inherited_ids)
    ) select title from held) as roles
  from user_token t join app_user u on u.id = t.user_id
  where t.token_hash = $1 and t.revoked_at is null and t.expires_at > now()`;

type Header = (name: string) => string | undefined;

/** How long a token is believed without asking: a token revoked at one process is dead at the others within this time. */
const belief = 500;

/** Tells who sends a request, from its two token headers (section 5). */
export class Identifier {
  readonly #known = new LRUCache<string, { platform: PlatformCaller | null; user: UserCaller | null }>({
    max: 10_000,
    ttl: belief,
  });

  constructor(readonly source: Source) {}

  /** Forgets what it knows, so that a token revoked here is dead here at once. */
  forget(): void {
    this.#known.clear();
  }

  async identify(header: Header): Promise<Caller> {
    const platformToken = header('pb-api-token');
    const userToken = header('pb-user-token');
    const platform = platformToken ? await this.#platform(platformToken) : null;
    const user = userToken ? await this.#user(userToken) : null;
    return { platform, key: null, user, rejected: Boolean((platformToken && !platform) || (userToken && !user)) };
  }

  async #platform(token: string): Promise<PlatformCaller | null> {
    const known = this.#known.get(`platform ${token}`);
    if (known) return known.platform;
    const platform = await new Sql(this.source, 'write').row<{ id: string; name: string }>(platformSql, [hashOf(token)]);
    if (platform) this.#known.set(`platform ${token}`, { platform, user: null });
    return platform;
  }

  async #user(token: string): Promise<UserCaller | null> {
    const known = this.#known.get(`user ${token}`);
    if (known) return known.user;
    const row = await new Sql(this.source, 'write').row<{ id: string; name: string; isSuperAdmin: boolean; roles: string[] }>(
      userSql,
      [hashOf(token)],
    );
    const user = row && { ...row, roles: new Set(row.roles) };
    if (user) this.#known.set(`user ${token}`, { platform: null, user });
    return user;
  }
}
