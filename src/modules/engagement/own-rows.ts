import type { RecordOptions } from '../../kernel/record.js';

/** Platforms see the rows of all users, a user sees their own. */
export const ownRows: NonNullable<RecordOptions['visible']> = ({ platform, user }, param) =>
  platform ? null : `r.user_id = ${param(user?.id ?? '')}`;
