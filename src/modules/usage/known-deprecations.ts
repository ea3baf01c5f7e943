import { setTimeout as sleep } from 'node:timers/promises';
import { keptVersion } from '../../kernel/read/kept-version-sql.js';
import { type Pools, Session } from '../../kernel/session.js';

/** What is announced of a route to a platform or to all; times in milliseconds of Unix time. */
export interface Announcement {
  readonly deprecatedAt: number;
  readonly sunsetAt: number | null;
  readonly text: string;
  readonly link: string | null;
  readonly rehearsal: { readonly beginsAt: number; readonly endsAt: number } | null;
}

/** What is announced of all routes, kept in memory. */
export interface KnownDeprecations {
  /** Looks for news, at most every half a second; something to wait for where what is known may be a second old. `at` is now, of `performance`. */
  refresh(at?: number): Promise<unknown> | null;
  /** What is announced of a route to a platform, as far as is known. */
  of(route: string, platformId: string | null): Announcement | null;
  /** Looks again at the next request. */
  forget(): void;
}

/** How old may be what is known, in milliseconds, without anybody waiting for news. */
const fresh = 800;
/** For how long nobody looks at the version again, in milliseconds: to look takes as long as to count a call. */
const glance = 100;
/** How old the version may be that is given at once, in milliseconds. */
const versionAge = 500;
/** The longest that a request waits for them; a database that is away holds up nobody who does not need it. */
const patience = 250;

const moment = (text: string) => Date.parse(text);

async function load(pools: Pools): Promise<Map<string, Map<string | null, Announcement>>> {
  const sql = new Session(pools, 'write');
  const rows = await sql.run(
    sql.db
      .selectFrom('deprecation')
      .select(['route', 'platform_id', 'deprecated_at', 'sunset_at', 'text', 'link', 'rehearsal_begins_at', 'rehearsal_minutes']),
  );
  const all = new Map<string, Map<string | null, Announcement>>();
  for (const row of rows) {
    const beginsAt = row.rehearsal_begins_at === null ? null : moment(row.rehearsal_begins_at);
    const byPlatform = all.get(row.route) ?? new Map<string | null, Announcement>();
    all.set(row.route, byPlatform);
    byPlatform.set(row.platform_id, {
      deprecatedAt: moment(row.deprecated_at),
      sunsetAt: row.sunset_at === null ? null : moment(row.sunset_at),
      text: row.text,
      link: row.link,
      rehearsal: beginsAt === null ? null : { beginsAt, endsAt: beginsAt + row.rehearsal_minutes * 60_000 },
    });
  }
  return all;
}

/** Knows what is announced, and learns of changes by the version of what is kept, which every change of an announcement changes. */
export function knownDeprecations(pools: Pools): KnownDeprecations {
  let known = new Map<string, Map<string | null, Announcement>>();
  let version: string | null = null;
  let seen = Number.NEGATIVE_INFINITY;
  let glanced = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  let waited = Number.NEGATIVE_INFINITY;

  async function look(now: string | Promise<string>): Promise<void> {
    const since = performance.now();
    try {
      const current = await now;
      if (current !== version) known = await load(pools);
      version = current;
    } catch {
      // What is known stays; whoever needs the database hears of it from there.
    }
    seen = since;
  }

  /** Once somebody has waited in vain, nobody does for a while. */
  async function enough(): Promise<void> {
    await sleep(patience, undefined, { ref: false });
    if (looking) waited = performance.now();
  }

  return {
    refresh(at = performance.now()) {
      if (at - glanced < glance) return null;
      if (!looking) {
        const now = keptVersion(pools);
        if (typeof now === 'string' && now === version) {
          glanced = at;
          seen = Math.max(seen, at - versionAge);
          return null;
        }
        looking = look(now).finally(() => {
          looking = null;
        });
      }
      return performance.now() - Math.max(seen, waited) < fresh ? null : Promise.race([looking, enough()]);
    },
    of(route, platformId) {
      if (known.size === 0) return null;
      const byPlatform = known.get(route);
      return byPlatform?.get(platformId) ?? byPlatform?.get(null) ?? null;
    },
    forget() {
      version = null;
      seen = waited = glanced = Number.NEGATIVE_INFINITY;
    },
  };
}
