import type { LocationOptions } from '../../../kernel/declare/fields/options.js';

/**
 * SQL condition: the location of a user is visible to the caller. Platforms and super admins see all locations. Other users see their own location, and the
 * locations of users with `showsPlace`. Visitors see none.
 */
export const visibleLocation: NonNullable<LocationOptions['visibleCondition']> = ({ platform, user }, param) => {
  if (platform || user?.isSuperAdmin) return null;
  return user ? `(${param.row}.shows_place or ${param.row}.id = ${param(user.id)})` : 'false';
};
