import { setTimeout as sleep } from 'node:timers/promises';
import { cacheVersion } from '../../kernel/read/cache-version-sql.js';
import { type Pools, Session } from '../../kernel/session.js';

/** Deprecation of a route for a platform or for all platforms. Times are Unix times in milliseconds. */
interface RouteDeprecation {
  readonly deprecatedAt: number;
  readonly sunsetAt: number | null;
  readonly text: string;
  readonly link: string | null;
  readonly rehearsal: { readonly beginsAt: number; readonly endsAt: number } | null;
}

/** Cache of all deprecations. */
export interface DeprecationCache {
  /**
   * Checks whether deprecations have changed, at most once per `minCheckInterval`. Returns a promise to await if the cache is older than
   * `maxAge`, or else null. `now` is a time from `performance.now()`.
   */
  refresh(now?: number): Promise<unknown> | null;
  /** Returns the cached deprecation of a route for a platform. Null if the route is not deprecated. */
  find(route: string, platformId: string | null): RouteDeprecation | null;
  /** Forces the next call to `refresh` to check for changes. */
  invalidate(): void;
}

/** Maximum age of the cache in milliseconds. If the cache is older, requests wait until it has been checked for changes. */
const maxAge = 800;
/**
 * Minimum interval between two checks, in milliseconds. Even a check that reads only the cached version takes as much time as counting a
 * call.
 */
const minCheckInterval = 100;
/** Maximum age, in milliseconds, of a version that `cacheVersion` returns synchronously. */
const maxVersionAge = 500;
/** Maximum time in milliseconds that requests wait for a check, which limits the delay if the database is unreachable. */
const waitTimeout = 250;

async function load(pools: Pools): Promise<Map<string, Map<string | null, RouteDeprecation>>> {
  const sql = new Session(pools, 'write');
  const rows = await sql.run(
    sql.db
      .selectFrom('deprecation')
      .select(['route', 'platform_id', 'deprecated_at', 'sunset_at', 'text', 'link', 'rehearsal_begins_at', 'rehearsal_minutes']),
  );
  const deprecationsByRoute = new Map<string, Map<string | null, RouteDeprecation>>();
  for (const row of rows) {
    const beginsAt = row.rehearsal_begins_at === null ? null : Date.parse(row.rehearsal_begins_at);
    const byPlatform = deprecationsByRoute.get(row.route) ?? new Map<string | null, RouteDeprecation>();
    deprecationsByRoute.set(row.route, byPlatform);
    byPlatform.set(row.platform_id, {
      deprecatedAt: Date.parse(row.deprecated_at),
      sunsetAt: row.sunset_at === null ? null : Date.parse(row.sunset_at),
      text: row.text,
      link: row.link,
      rehearsal: beginsAt === null ? null : { beginsAt, endsAt: beginsAt + row.rehearsal_minutes * 60_000 },
    });
  }
  return deprecationsByRoute;
}

/** Creates the cache. It reloads when the version of the stored data changes. Every change to a deprecation changes this version. */
export function createDeprecationCache(pools: Pools): DeprecationCache {
  let deprecationsByRoute = new Map<string, Map<string | null, RouteDeprecation>>();
  let version: string | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let versionCheckedAt = Number.NEGATIVE_INFINITY;
  let currentCheck: Promise<void> | null = null;
  let timedOutAt = Number.NEGATIVE_INFINITY;

  async function check(currentVersion: string | Promise<string>): Promise<void> {
    const startedAt = performance.now();
    try {
      const latestVersion = await currentVersion;
      if (latestVersion !== version) deprecationsByRoute = await load(pools);
      version = latestVersion;
    } catch {
      // The cached deprecations are kept. Requests that need the database report the error themselves.
    }
    checkedAt = startedAt;
  }

  /** Resolves after `waitTimeout`. After a timeout, requests do not wait again until `maxAge` has passed. */
  async function timeout(): Promise<void> {
    await sleep(waitTimeout, undefined, { ref: false });
    if (currentCheck) timedOutAt = performance.now();
  }

  return {
    refresh(now = performance.now()) {
      if (now - versionCheckedAt < minCheckInterval) return null;
      if (!currentCheck) {
        const latestVersion = cacheVersion(pools);
        if (typeof latestVersion === 'string' && latestVersion === version) {
          versionCheckedAt = now;
          checkedAt = Math.max(checkedAt, now - maxVersionAge);
          return null;
        }
        currentCheck = check(latestVersion).finally(() => {
          currentCheck = null;
        });
      }
      return performance.now() - Math.max(checkedAt, timedOutAt) < maxAge ? null : Promise.race([currentCheck, timeout()]);
    },
    find(route, platformId) {
      if (deprecationsByRoute.size === 0) return null;
      const byPlatform = deprecationsByRoute.get(route);
      return byPlatform?.get(platformId) ?? byPlatform?.get(null) ?? null;
    },
    invalidate() {
      version = null;
      checkedAt = timedOutAt = versionCheckedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
