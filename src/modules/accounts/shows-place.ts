import type { Whereabouts } from '../../kernel/declare/options.js';

/**
 * SQL condition for users that `near` finds. Platforms and super admins find all users with a location. Other users find themselves and users who show
 * their location. Visitors find no users, because locations are not public.
 */
export const showsPlace: NonNullable<Whereabouts['shown']> = ({ platform, user }, param) => {
  if (platform || user?.isSuperAdmin) return null;
  return user ? `(r.shows_place or r.id = ${param(user.id)})` : 'false';
};
