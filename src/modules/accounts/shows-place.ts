import type { Whereabouts } from '../../kernel/declare/options.js';

/** Whose place tells a caller who is near: that of everybody who shows it and, as with what is private of a user, the own one, or all. */
export const showsPlace: NonNullable<Whereabouts['shown']> = ({ platform, user }, param) => {
  if (platform || user?.isSuperAdmin) return null;
  return user ? `(r.shows_place or r.id = ${param(user.id)})` : 'r.shows_place';
};
