import { setActorSql, writerOf, writesLoggedTable } from './audit.js';
import type { Caller } from './declare/policy/caller.js';
import type { StatementEffects } from './facts.js';
import type { Statement } from './statement.js';

/** Runs a statement in the open transaction. */
type Execute = (text: string, values: unknown[]) => Promise<unknown>;

/** Sets the actor of each transaction before its first write to a table that the change log covers. */
export class AuditContext {
  /** Promise that resolves when the actor has been set in the open transaction. Null if the actor has not been sent. */
  #actorSet: Promise<unknown> | null = null;

  constructor(
    readonly caller: Caller,
    /** Returns the actor of audit entries (see `actorOf`). Null if the service itself is the actor. */
    readonly actor: (() => string) | null,
  ) {}

  /** Whether a statement must run in a transaction in which the actor is set. */
  isNeededFor(effects: StatementEffects): boolean {
    return this.actor !== null && writesLoggedTable(effects);
  }

  /**
   * Returns a function that creates the actor as JSON. A statement passes this JSON to the triggers. For writes by users and writes to
   * audited tables, the JSON contains the complete actor. For other writes, it contains only the ID of the platform. Undefined if the
   * service itself is the actor.
   */
  actorFor({ isAudited }: Statement): (() => string) | undefined {
    if (!this.actor) return undefined;
    return isAudited || this.caller.user ? this.actor : () => writerOf(this.caller);
  }

  /** Sends the actor to the database, unless it is already set in the open transaction. */
  async send(execute: Execute): Promise<void> {
    if (!this.actor) return;
    this.#actorSet ??= execute(setActorSql, [this.actor()]);
    await this.#actorSet;
  }

  /**
   * Called at the start of a transaction or savepoint. Returns a function to call at its end. If `isFinished` is true, because the
   * transaction has ended or the savepoint was rolled back, the function restores the earlier state.
   */
  startTransaction(): (isFinished: boolean) => void {
    const outerState = this.#actorSet;
    return (isFinished) => {
      if (isFinished) this.#actorSet = outerState;
    };
  }
}
