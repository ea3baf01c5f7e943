import type { Migration } from '@mikro-orm/migrations';
import { Baseline0001Extensions } from './0001-extensions.js';
import { Baseline0002Kernel } from './0002-kernel.js';
import { Baseline0003Reference } from './0003-reference.js';
import { Baseline0004Accounts } from './0004-accounts.js';
import { Baseline0005Tournaments } from './0005-tournaments.js';
import { Baseline0006TournamentSearch } from './0006-tournament-search.js';
import { Baseline0007Rankings } from './0007-rankings.js';
import { Baseline0008Leagues } from './0008-leagues.js';
import { Baseline0009News } from './0009-news.js';
import { Baseline0010Media } from './0010-media.js';
import { Baseline0011Checkout } from './0011-checkout.js';
import { Baseline0012Officiating } from './0012-officiating.js';
import { Baseline0013Engagement } from './0013-engagement.js';
import { Baseline0014Scheduler } from './0014-scheduler.js';
import { Baseline0015Usage } from './0015-usage.js';
import { Baseline0016Live } from './0016-live.js';
import { Migration0017HiddenPlayersPeriods } from './0017-hidden-players-periods.js';
import { Migration0018RequiredOwners } from './0018-required-owners.js';
import { Migration0019PreviousPlatformTokens } from './0019-previous-platform-tokens.js';
import { Migration0020RestorableFunctions } from './0020-restorable-functions.js';
import { Migration0021InsertTriggers } from './0021-insert-triggers.js';
import { Migration0022SessionPlatforms } from './0022-session-platforms.js';
import { Migration0023LockedUsers } from './0023-locked-users.js';
import { Migration0024WebhookAttempts } from './0024-webhook-attempts.js';
import { Migration0025ApprovalStates } from './0025-approval-states.js';
import { Migration0026AuditOfUsers } from './0026-audit-of-users.js';
import { Migration0027ChangedPlatformTokens } from './0027-changed-platform-tokens.js';
import { Migration0028Declines } from './0028-declines.js';

/** Class of a migration. */
export type MigrationClass = (new (
  ...options: ConstructorParameters<typeof Migration>
) => Migration) & {
  /**
   * Oldest release that can use the database after the migration. Releases that lack the migration start only if they are not older. Absent
   * in the migrations of release 0.1.0.
   */
  readonly oldestRelease?: string;
};

/**
 * All migrations, oldest first. The baseline creates the tables of version 0.1.0. Later migrations are added at the end. A migration is never edited
 * after it has landed.
 */
export const migrations: MigrationClass[] = [
  Baseline0001Extensions,
  Baseline0002Kernel,
  Baseline0003Reference,
  Baseline0004Accounts,
  Baseline0005Tournaments,
  Baseline0006TournamentSearch,
  Baseline0007Rankings,
  Baseline0008Leagues,
  Baseline0009News,
  Baseline0010Media,
  Baseline0011Checkout,
  Baseline0012Officiating,
  Baseline0013Engagement,
  Baseline0014Scheduler,
  Baseline0015Usage,
  Baseline0016Live,
  Migration0017HiddenPlayersPeriods,
  Migration0018RequiredOwners,
  Migration0019PreviousPlatformTokens,
  Migration0020RestorableFunctions,
  Migration0021InsertTriggers,
  Migration0022SessionPlatforms,
  Migration0023LockedUsers,
  Migration0024WebhookAttempts,
  Migration0025ApprovalStates,
  Migration0026AuditOfUsers,
  Migration0027ChangedPlatformTokens,
  Migration0028Declines,
];
