import type { PostgreSqlConnection as Connection } from '@mikro-orm/postgresql';
import type { StatementFacts } from './facts.js';

/** Properties of a session that determine which server a read uses. */
interface ReadRoute {
  readonly usesPrimary: boolean;
  readonly readConnection: Connection;
  readonly pools: { readonly hasReplicas: boolean };
}

type Source = Pick<StatementFacts, 'readTables' | 'otherDependency'>;

/** Everything that a response depends on: the rows that statements read, cached data, and other sources. */
export class ResponseSources {
  /** Functions that return the dependencies of a statement, keyed by its text. */
  readonly statements = new Map<string, () => Source>();
  /** Replicas from which data for the response was read. */
  readonly replicas = new Set<Connection>();
  /** Whether the response contains the result of a query without errors. Set for GraphQL responses only. */
  isComplete = false;
  #cachedVersion: string | null = null;
  #otherDependency: string | null = null;

  /** Version of the cached data that the response used. Null if the response used no cached data. */
  get cachedVersion(): string | null {
    return this.#cachedVersion;
  }

  /**
   * What the response depends on other than rows, such as the time. If it is set, table changes do not show whether the response is still
   * valid. Null if the response depends only on rows.
   */
  get otherDependency(): string | null {
    return this.#otherDependency;
  }

  addStatement(text: string, statementFactsOf: () => Source, session: ReadRoute): void {
    this.statements.set(text, statementFactsOf);
    if (!session.usesPrimary && session.pools.hasReplicas) this.replicas.add(session.readConnection);
  }

  /** Stores the version of the cached data that the response used. */
  addCachedVersion(version: string): void {
    if (this.#cachedVersion !== null && this.#cachedVersion !== version)
      this.addOtherDependency('two versions of the cached rows');
    this.#cachedVersion = version;
  }

  /** Adds a dependency other than rows, such as the time. */
  addOtherDependency(name: string): void {
    this.#otherDependency ??= name;
  }
}

/** Returns the current time, for values in a response. Marks the response as dependent on the time. */
export function currentTimeFor({ sources }: { readonly sources: ResponseSources | null }): Date {
  sources?.addOtherDependency('the time');
  return new Date();
}

declare module './declare/context.js' {
  interface Client {
    /** Data that the response depends on. Absent if dependencies are not tracked. */
    readonly sources?: ResponseSources;
  }
}
