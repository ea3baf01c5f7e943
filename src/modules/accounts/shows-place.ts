import type { Whereabouts } from '../../kernel/declare/options.js';

/**
 * Users that `near` finds. Platforms and super admins find all users with a location, other users those who show it and themselves. Visitors find
 * none, because the location of a user is not public.
 */
export const showsPlace: NonNullable<Whereabouts['shown']> = ({ platform, user }, param) => {
  if (platform || user?.isSuperAdmin) return null;
  return user ? `(r.shows_place or r.id = ${param(user.id)})` : 'false';
};
