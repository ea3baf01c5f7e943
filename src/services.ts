import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { ChangeLog } from './kernel/changes/index.js';
import type { Pools } from './kernel/pools.js';
import type { Outbox } from './messaging/ports.js';
import type { Identifier } from './modules/accounts/identify.js';
import type { countAttempt } from './modules/accounts/limits.js';
import type { withdrawItems } from './modules/checkout/withdraw-items.js';
import type { notify } from './modules/engagement/notify.js';
import type { inviteVerifiedUser } from './modules/scheduler/invite-verified-user.js';
import type { allowedEntries } from './modules/tournaments/check-entries.js';
import type { UsageKeeper } from './modules/usage/keep-usage.js';
import type { KnownDeprecations } from './modules/usage/known-deprecations.js';
import type { LegacyRoutes } from './modules/usage/legacy-routes.js';

declare module './kernel/declare/context.js' {
  interface Services {
    /** Tells who sends a request; is told when a token dies. */
    identifier: Identifier;
    /** What is written, told as it is committed, whichever process wrote it. */
    changes: ChangeLog;
    /** Connections to the primary beside those of requests, few: what is told of changes does not wait for who writes. */
    aside: () => Pools;
    /** Where messages are left for sending, in the transaction that causes them. */
    outbox: Outbox;
    /** Tells users of something inside the service, in the transaction that causes it. */
    notify: typeof notify;
    /** Counts an attempt against a limit of RATE_LIMITS. The count stays if the transaction of the request is rolled back. */
    limit: typeof countAttempt;
    /** What follows, in the transaction of the proof, when a user has proven that an e-mail address is theirs. Done again it changes nothing. */
    addressProven: typeof inviteVerifiedUser;
    /** What follows, in the same transaction, when entries in events and registrations for tournaments are withdrawn. */
    entriesWithdrawn: typeof withdrawItems;
    /** Checks the events that the signed-in user wants to enter, without locking them. */
    allowedEntries: typeof allowedEntries;
    /** Counts the calls of `/v1`; null in a process that does not answer them. */
    usage: UsageKeeper | null;
    /** What is announced of the end of routes of `/v1`. */
    deprecations: KnownDeprecations;
    /** The routes of `/v1`, which are loaded when somebody asks for them first. */
    legacyRoutes: () => Promise<LegacyRoutes>;
    settings: Config;
    /** What operators are told. */
    log: Logger;
  }
}
