import { setTimeout as sleep } from 'node:timers/promises';
import type { ApolloServerPlugin } from '@apollo/server';
import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Logger } from 'pino';
import { failureFields } from '../../kernel/database-errors.js';
import type { Context } from '../../kernel/declare/context.js';
import type { Pools, Session } from '../../kernel/session.js';
import { primaryPosition, replicaPosition } from './position-sql.js';
import type { WriteTokens } from './token.js';

/**
 * Header that contains the log position of a write. Mutations return it, and requests that send it see the write. Routers add it to later
 * subgraph requests. Routers send `none` if the operation has not written anything yet.
 */
export const consistencyHeader = 'consistency-token';
export const noWrite = 'none';

/** Maximum time to wait for a replica before reading from the primary, in milliseconds. */
const replicaTimeoutMs = 100;
/** Interval between checks of the replica, in milliseconds. */
const pollIntervalMs = 10;

/** Parses a log sequence number (LSN). */
function parseLsn(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Waits until the replica has replayed the log up to the position. Returns false after a timeout. */
async function waitForReplica(sql: Session, position: string): Promise<boolean> {
  const target = parseLsn(position);
  for (let elapsed = 0; ; elapsed += pollIntervalMs) {
    const replayedPosition = await replicaPosition(sql);
    if (replayedPosition === null || parseLsn(replayedPosition) >= target) return true;
    if (elapsed >= replicaTimeoutMs) return false;
    await sleep(pollIntervalMs);
  }
}

/** Ensures that clients see their own earlier writes when they read from replicas. */
export class ReadYourWrites {
  constructor(
    readonly pools: Pools,
    readonly tokens: WriteTokens,
    readonly log: Logger,
  ) {}

  /**
   * Waits up to 100 ms until the replica of the session has replayed the write that the header refers to. If the replica has not replayed
   * it by then, the session reads from the primary. The session also reads from the primary if the token cannot be verified.
   */
  async waitForWrite(sql: Session, header: string | undefined): Promise<void> {
    if (!this.pools.hasReplicas || sql.usesPrimary || header === undefined || header === noWrite) return;
    const position = this.tokens.read(header);
    if (position === null) return sql.usePrimary();
    const hasCaughtUp = await waitForReplica(sql, position).catch((error: unknown) => {
      this.log.warn(failureFields(error), 'the replay position of a replica cannot be read');
      return false;
    });
    if (!hasCaughtUp) sql.usePrimary();
  }

  /**
   * Returns a token for the current position of the write-ahead log, which covers all committed writes. Null if there are no replicas, or
   * if the primary is unavailable.
   */
  async currentToken(sql: Session): Promise<string | null> {
    if (!this.pools.hasReplicas) return null;
    return primaryPosition(sql).then(this.tokens.sign, () => null);
  }
}

/** Yoga plugin that adds the consistency token to the responses of mutations. */
export const sendWriteToken = (consistency: ReadYourWrites): Plugin<Context> => ({
  onExecute({ args, context }) {
    if (!consistency.pools.hasReplicas) return undefined;
    if (getOperationAST(args.document, args.operationName)?.operation !== 'mutation') return undefined;
    return {
      async onExecuteDone({ result }) {
        const token = await consistency.currentToken(context.sql);
        if (token === null || !('data' in result || 'errors' in result)) return;
        result.extensions = { ...result.extensions, http: { headers: { [consistencyHeader]: token } } };
      },
    };
  },
});

/**
 * Apollo plugin that adds the consistency token to the responses of subgraph mutations. `_entities` requests without a token read from the
 * primary, because a router may send them as part of a mutation.
 */
export const subgraphConsistency = (consistency: ReadYourWrites): ApolloServerPlugin<Context> => ({
  requestDidStart: async () => ({
    didResolveOperation: async ({ source, contextValue: { client, sql } }) => {
      if (!consistency.pools.hasReplicas || client.header(consistencyHeader) !== undefined) return;
      if (source.includes('_entities')) sql.usePrimary();
    },
    willSendResponse: async ({ operation, contextValue: { sql }, response: { http } }) => {
      if (operation?.operation !== 'mutation') return;
      const token = await consistency.currentToken(sql);
      if (token !== null) http.headers.set(consistencyHeader, token);
    },
  }),
});
