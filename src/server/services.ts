import type { Logger } from 'pino';
import type { Config } from '../config/index.js';
import type { ChangeLog } from '../kernel/changes/index.js';
import type { Pools } from '../kernel/pools.js';
import type { FailedJobs, FailedMessages, Outbox } from '../messaging/ports.js';
import type { countAttempt } from '../modules/accounts/limits/limits.js';
import type { Authenticator } from '../modules/accounts/sign-in/authenticator.js';
import type { withdrawItems } from '../modules/checkout/refunds/withdraw-items.js';
import type { notify } from '../modules/engagement/notifications/notify-sql.js';
import type { inviteVerifiedUser } from '../modules/scheduler/invitations/invite-verified-user.js';
import type { allowedEntries } from '../modules/tournaments/entries/check-entries.js';
import type { DeprecationCache } from '../modules/usage/deprecation-cache.js';
import type { LegacyRoutes } from '../modules/usage/legacy-routes.js';
import type { ServiceHealth } from '../modules/usage/operations/service-health.js';
import type { UsageRecorder } from '../modules/usage/usage-recorder.js';

declare module '../kernel/declare/context.js' {
  interface Services {
    /** Identifies the caller of a request. Caches tokens, so its caches must be cleared when a token is revoked. */
    authenticator: Authenticator;
    /** Change log with the committed writes of all processes. */
    changes: ChangeLog;
    /** Separate connections to the primary for background reads, so that subscriptions do not compete with requests. */
    backgroundPools: () => Pools;
    /** Enqueues messages in the current transaction. */
    outbox: Outbox;
    /** Messages that were not sent. Null in a process without the job queue. */
    failedMessages: FailedMessages | null;
    /** Failed jobs of all queues except the message queues. Null in a process without the job queue. */
    failedJobs: FailedJobs | null;
    /** Reads the state of the process and its servers. */
    health: () => Promise<ServiceHealth>;
    /** Creates in-app notifications in the current transaction. */
    notify: typeof notify;
    /** Counts an attempt against one of the limits in `RATE_LIMITS`. A rollback of the request does not undo it. */
    limit: typeof countAttempt;
    /** Called in the transaction in which a user verifies an email address. Idempotent. */
    onAddressVerified: typeof inviteVerifiedUser;
    /** Called in the transaction in which event entries or tournament registrations are withdrawn. */
    onEntriesWithdrawn: typeof withdrawItems;
    /** Checks whether the signed-in user may enter the given events. Does not lock rows. */
    allowedEntries: typeof allowedEntries;
    /** Counts `/v1` calls, GraphQL operations and shadow reads. Null in a process that serves only subgraphs. */
    usage: UsageRecorder | null;
    /** Announced deprecations of `/v1` routes. */
    deprecations: DeprecationCache;
    /** Routes of `/v1`. Loaded on first use. */
    legacyRoutes: () => Promise<LegacyRoutes>;
    settings: Config;
    /** Log for operators. */
    log: Logger;
  }
}
