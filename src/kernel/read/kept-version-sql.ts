import { readSql } from '../facts.js';
import { is } from '../row-shape.js';
import { type Pools, Session } from '../session.js';

/** How long a version is believed without asking, in milliseconds: what is kept is never older than that and a statement. */
const lifetime = 500;

const statement = 'select version from kept_version';

/** The version of what processes keep of tables: every transaction that writes to one of those tables changes it (migration 33). */
class KeptVersion {
  #known = '';
  #since = Number.NEGATIVE_INFINITY;
  #asking: Promise<string> | null = null;

  constructor(readonly pools: Pools) {}

  now(): string | Promise<string> {
    if (performance.now() - this.#since < lifetime) return this.#known;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<string> {
    // From when it is asked for: what is committed later may be in the answer, and what was committed before is.
    const since = performance.now();
    const row = await new Session(this.pools, 'write').row(readSql(['kept_version'], statement), [], { version: is.text });
    this.#known = row?.version ?? '';
    this.#since = since;
    return this.#known;
  }
}

const versions = new WeakMap<Pools, KeptVersion>();

/**
 * The version as of at most half a second ago; at once when it is known. Who keeps something reads the version first, then the rows, both
 * from the primary: a replica may be behind. UNAVAILABLE when the database cannot be reached.
 */
export function keptVersion(pools: Pools): string | Promise<string> {
  let version = versions.get(pools);
  if (!version) {
    version = new KeptVersion(pools);
    versions.set(pools, version);
  }
  return version.now();
}
