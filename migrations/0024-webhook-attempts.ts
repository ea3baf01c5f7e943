import { SteppedMigration } from '../src/database/migration-steps.js';

/** Adds the past attempts of a webhook delivery. */
export class Migration0024WebhookAttempts extends SteppedMigration {
  static readonly oldestRelease = '0.1.0';

  readonly steps = [{ statements: [`alter table webhook_delivery add past_attempts jsonb not null default '[]'`] }];
}
