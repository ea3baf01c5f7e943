import type { PostgreSqlConnection as Connection } from '@mikro-orm/postgresql';
import type { Facts } from './facts.js';

/** The properties of a session that decide from where a statement reads. */
interface ReadRoute {
  readonly usesPrimary: boolean;
  readonly readConnection: Connection;
  readonly pools: { readonly hasReplicas: boolean };
}

type Source = Pick<Facts, 'readTables' | 'otherDependency'>;

/** Sources of a response: statements, and other dependencies. */
export class ResponseSources {
  /** The facts of its statements, by their texts. They are computed when they are needed. */
  readonly statements = new Map<string, () => Source>();
  /** Replicas that were read. */
  readonly replicas = new Set<Connection>();
  #cachedVersion: string | null = null;
  #otherDependency: string | null = null;

  /** Version of the cached data that was read. Null if none was read. */
  get cachedVersion(): string | null {
    return this.#cachedVersion;
  }

  /** A dependency other than rows, such as the time. With one, the response cannot be validated by its tables. Null if there is none. */
  get otherDependency(): string | null {
    return this.#otherDependency;
  }

  addStatement(text: string, factsOf: () => Source, session: ReadRoute): void {
    this.statements.set(text, factsOf);
    if (!session.usesPrimary && session.pools.hasReplicas) this.replicas.add(session.readConnection);
  }

  /** Records a read of cached data with this version. */
  addCachedVersion(version: string): void {
    if (this.#cachedVersion !== null && this.#cachedVersion !== version)
      this.addOtherDependency('two versions of the cached rows');
    this.#cachedVersion = version;
  }

  /** Records a dependency other than rows, such as the time. */
  addOtherDependency(name: string): void {
    this.#otherDependency ??= name;
  }
}

/** Returns the current time, for values in a response, and records that the response depends on it. */
export function currentTimeFor({ sources }: { readonly sources: ResponseSources | null }): Date {
  sources?.addOtherDependency('the time');
  return new Date();
}

declare module './declare/context.js' {
  interface Client {
    /** Sources of the response. Absent if they are not needed. */
    readonly sources?: ResponseSources;
  }
}
