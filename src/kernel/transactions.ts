import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import type { Pools } from './pools.js';

interface Hooks {
  /** Runs last in the transaction. Throws to roll it back. */
  readonly beforeCommit: () => Promise<void>;
  readonly afterCommit: () => void;
}

interface OpenTransaction {
  readonly em: SqlEntityManager;
  // biome-ignore lint/suspicious/noExplicitAny: the session has the types of the tables
  readonly db: Kysely<any>;
}

/** Transactions of a session. A nested transaction is a savepoint. */
export class Transactions {
  #open: OpenTransaction | null = null;

  constructor(readonly pools: Pools) {}

  /** Innermost open transaction. */
  get current(): OpenTransaction | null {
    return this.#open;
  }

  /** Runs work in a transaction or, if one is open, in a savepoint. Savepoints do not call the hooks. */
  async run<T>(work: (em: SqlEntityManager) => Promise<T>, { beforeCommit, afterCommit }: Hooks): Promise<T> {
    const outerTransaction = this.#open;
    this.pools.orm.discoverEntities?.();
    try {
      const result = await (outerTransaction?.em ?? this.pools.orm.em.fork()).transactional(async (em) => {
        this.#open = { em, db: em.getKysely() };
        const result = await work(em);
        if (!outerTransaction) await beforeCommit();
        return result;
      });
      if (!outerTransaction) afterCommit();
      return result;
    } finally {
      this.#open = outerTransaction;
    }
  }
}
