import type { PostgreSqlConnection as Connection } from '@mikro-orm/postgresql';
import type { Pools } from './pools.js';

/** Selects the server for each statement of a session: the same replica until the first write, then the primary. */
export class ReplicaRouting {
  #replica: Connection | null = null;
  #usesPrimary: boolean;

  constructor(
    readonly pools: Pools,
    mode: 'read' | 'write',
  ) {
    this.#usesPrimary = mode === 'write';
  }

  /** Sends all later statements to the primary, so that they see earlier writes. */
  usePrimary(): void {
    this.#usesPrimary = true;
  }

  get usesPrimary(): boolean {
    return this.#usesPrimary;
  }

  get connection(): Connection {
    if (this.#usesPrimary) return this.pools.connection('write');
    this.#replica ??= this.pools.connection('read');
    return this.#replica;
  }
}
