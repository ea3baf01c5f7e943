import { related } from '../../kernel/serve/relations.js';
import { Platform } from './platform.js';
import { User } from './user.js';

/** Who came by a platform is told to that one alone. */
export const platformUsers = related(
  Platform,
  'users',
  User,
  ({ platform }, param) => (platform ? `r.platform_id = p.key and p.key = ${param(platform.id)}` : 'false'),
  'The users who came by it; shown to the platform itself, empty for others.',
);
