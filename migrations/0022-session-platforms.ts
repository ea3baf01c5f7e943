import { SteppedMigration } from '../src/database/migration-steps.js';

/** Adds the platform whose token or key signed the user in. */
export class Migration0022SessionPlatforms extends SteppedMigration {
  static readonly oldestRelease = '0.1.0';

  readonly steps = [{ statements: ['alter table user_token add platform_id text'] }];
}
