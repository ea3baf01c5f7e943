import type { PostgreSqlConnection as Connection } from '@mikro-orm/postgresql';
import type { Facts } from './facts.js';

/** The properties of a session that decide from where a statement reads. */
interface Reader {
  readonly wrote: boolean;
  readonly reader: Connection;
  readonly pools: { readonly hasReplicas: boolean };
}

type Source = Pick<Facts, 'reads' | 'volatileBy'>;

/** Sources of a response: statements, and other dependencies. */
export class Reads {
  /** The facts of its statements, by their texts. They are computed when they are needed. */
  readonly statements = new Map<string, () => Source>();
  /** Replicas that were read. */
  readonly replicas = new Set<Connection>();
  #version: string | null = null;
  #unknown: string | null = null;

  /** Version of the cached data that was read. Null if none was read. */
  get version(): string | null {
    return this.#version;
  }

  /** A dependency other than rows, such as the time. With one, the response cannot be validated by its tables. Null if there is none. */
  get unknownBy(): string | null {
    return this.#unknown;
  }

  statement(text: string, factsOf: () => Source, session: Reader): void {
    this.statements.set(text, factsOf);
    if (!session.wrote && session.pools.hasReplicas) this.replicas.add(session.reader);
  }

  /** Records a read of cached data with this version. */
  kept(version: string): void {
    if (this.#version !== null && this.#version !== version) this.unknown('two versions of what is kept');
    this.#version = version;
  }

  /** Records a dependency other than rows, such as the time. */
  unknown(what: string): void {
    this.#unknown ??= what;
  }
}

/** Returns the current time, for values in a response, and records that the response depends on it. */
export function timeFor({ reads }: { readonly reads: Reads | null }): Date {
  reads?.unknown('the time');
  return new Date();
}

declare module './declare/context.js' {
  interface Client {
    /** Sources of the response. Absent if they are not needed. */
    readonly reads?: Reads;
  }
}
