import type { PostgreSqlConnection as Connection } from '@mikro-orm/postgresql';
import type { Facts } from './facts.js';

/** Where a session reads a statement. */
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

  /** The version of what was read from memory; null where nothing was. */
  get version(): string | null {
    return this.#version;
  }

  /** What it depends on beside the rows of tables, so that nobody can tell by these whether it is still the same; null where there is no such thing. */
  get unknownBy(): string | null {
    return this.#unknown;
  }

  statement(text: string, factsOf: () => Source, session: Reader): void {
    this.statements.set(text, factsOf);
    if (!session.wrote && session.pools.hasReplicas) this.replicas.add(session.reader);
  }

  /** Something was read from what is kept in memory under that version. */
  kept(version: string): void {
    if (this.#version !== null && this.#version !== version) this.unknown('two versions of what is kept');
    this.#version = version;
  }

  /** It depends on something that no table holds, such as the time. */
  unknown(what: string): void {
    this.#unknown ??= what;
  }
}

/** The time, for what answers depend on: whoever makes one asks for it here, so that it is not taken for what rows say alone. */
export function timeFor({ reads }: { readonly reads: Reads | null }): Date {
  reads?.unknown('the time');
  return new Date();
}

declare module './declare/context.js' {
  interface Client {
    /** Of an answer of which it is noted what it is read from. */
    readonly reads?: Reads;
  }
}
