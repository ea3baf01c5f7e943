import { SteppedMigration } from '../src/database/migration-steps.js';

/** Adds indexes for the lists of approved and declined items. */
export class Migration0025ApprovalStates extends SteppedMigration {
  static readonly oldestRelease = '0.1.0';

  readonly steps = [
    { index: 'sponsor_state_idx', table: 'sponsor', definition: `(approval_state, reported_created_at desc nulls last, id)` },
    { index: 'sponsor_image_state_idx', table: 'sponsor_image', definition: `(approval_state, created_at desc nulls last, id)` },
    {
      index: 'user_image_state_idx',
      table: 'user_image',
      definition: `(approval_state, reported_created_at desc nulls last, id)`,
    },
    { index: 'biography_state_idx', table: 'biography', definition: `(approval_state, reported_created_at desc nulls last, id)` },
  ];
}
