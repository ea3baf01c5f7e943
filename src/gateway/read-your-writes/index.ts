import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pools, Session } from '../../kernel/session.js';
import { appliedTo, writtenTo } from './position-sql.js';
import type { WriteTokens } from './token.js';

/**
 * Header of the answer to a mutation, which tells up to where it wrote; sent with a request, the request sees that write. Routers pass it on to
 * the subgraphs that they ask next, and say `none` where nothing was written before.
 */
export const consistencyHeader = 'consistency-token';
export const nothingWritten = 'none';

/** How long a reader waits for a replica that is behind, before it reads from the primary. */
const patience = 100;
const pause = 10;

/** A place in the log as a number. */
function placeOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Whether what is to be read is there within the time that one waits for it. */
async function hasArrived(sql: Session, position: string): Promise<boolean> {
  const wanted = placeOf(position);
  for (let waited = 0; ; waited += pause) {
    const applied = await appliedTo(sql);
    if (applied === null || placeOf(applied) >= wanted) return true;
    if (waited >= patience) return false;
    await sleep(pause);
  }
}

/** What a request is to see although replicas are behind. */
export class ReadYourWrites {
  constructor(
    readonly pools: Pools,
    readonly tokens: WriteTokens,
    readonly log: Logger,
  ) {}

  /**
   * Has a request see the write that its header tells of: its replica has it within a tenth of a second, or it reads from the primary. A header
   * that nobody here signed is one of another process: the primary has everything.
   */
  async after(sql: Session, header: string | undefined): Promise<void> {
    if (!this.pools.hasReplicas || sql.wrote || header === undefined || header === nothingWritten) return;
    const position = this.tokens.read(header);
    if (position === null) return sql.writes();
    const isThere = await hasArrived(sql, position).catch((error: Error) => {
      this.log.warn({ err: { message: error.message } }, 'a replica cannot be asked how far it is');
      return false;
    });
    if (!isThere) sql.writes();
  }

  /** The token of all that is committed by now; null where nobody reads from replicas, or when the primary has just gone. */
  async written(sql: Session): Promise<string | null> {
    if (!this.pools.hasReplicas) return null;
    return writtenTo(sql).then(this.tokens.sign, () => null);
  }
}
