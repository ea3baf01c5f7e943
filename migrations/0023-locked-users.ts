import { SteppedMigration } from '../src/database/migration-steps.js';

/** Adds the time and the reason of the lock of an account. */
export class Migration0023LockedUsers extends SteppedMigration {
  static readonly oldestRelease = '0.1.0';

  readonly steps = [
    {
      statements: [
        'alter table app_user add locked_at timestamptz, add lock_reason text',
        `select log_changes_of_columns('app_user')`,
        `select audit_inserts('app_user', 'User', array['roleIds', 'isSuperAdmin', 'verifiedAt', 'platformId', 'lockedAt'])`,
      ],
    },
  ];
}
