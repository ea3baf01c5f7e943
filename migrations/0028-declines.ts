import { SteppedMigration } from '../src/database/migration-steps.js';

/** Adds a flag to comments that are the reason for a decline. */
export class Migration0028Declines extends SteppedMigration {
  static readonly oldestRelease = '0.1.0';

  readonly steps = [
    {
      statements: [
        'alter table approval_comment add is_decline boolean not null default false',
        `select log_changes_of_columns('approval_comment')`,
      ],
    },
  ];
}
