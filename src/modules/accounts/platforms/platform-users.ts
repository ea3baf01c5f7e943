import { relatedRecords } from '../../../kernel/serve/relations.js';
import { User } from '../users/user.js';
import { Platform } from './platform.js';

/** Users who joined through a platform. Only the platform itself sees them. */
export const platformUsers = relatedRecords(
  Platform,
  'users',
  User,
  ({ platform }, param) =>
    platform ? `${param.row}.platform_id = ${param.key} and ${param.key} = ${param(platform.id)}` : 'false',
  'Users who joined through the platform. Visible to the platform itself. Empty for other callers.',
);
