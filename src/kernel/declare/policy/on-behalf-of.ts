import type { Context } from '../context.js';
import { fail, reject } from '../errors.js';

/**
 * Returns the ID of the user on whose behalf the caller acts: `userId`, or else the signed-in user. Platforms can act for any user. Throws
 * FORBIDDEN if a user acts for another user (decision 10).
 */
export function onBehalfOf({ caller: { platform, user } }: Pick<Context, 'caller'>, userId: string | null | undefined): string {
  const id = userId ?? user?.id ?? reject('userId', 'the ID of a user, because the request has no user token');
  if (id === '' || id.length > 255) reject('userId', 'an ID of at most 255 characters');
  return platform || id === user?.id ? id : fail('FORBIDDEN', 'a user token opens the records of that user only');
}
