import type { Caller } from '../../src/graphql/run.js';
import { createError } from '../../src/kernel/declare/errors.js';
import type { PreparedRoute } from './prepare.js';
import { legacyRefusal } from './reply/error-response.js';
import type { LegacyRequest } from './request/reader.js';
import { type Auth, readsUserToken } from './route.js';

const requiredTokens: Readonly<Record<Exclude<Auth, 'anyone'>, string>> = {
  platform: 'a platform token in the header PB-API-TOKEN',
  user: 'a user token in the header PB-USER-TOKEN',
  either: 'a token in the header PB-API-TOKEN or PB-USER-TOKEN',
};

/** Returns the error of the GraphQL policies for a caller. Null if they permit the operation. */
function graphPolicyError(authorize: PreparedRoute['authorize'], caller: Caller): unknown {
  try {
    authorize(caller);
    return null;
  } catch (error) {
    return legacyRefusal(error);
  }
}

/**
 * Rejects a caller without a token of the kind that the auth letter of the route requires (section 5): 401 without any token, 403 for a token of
 * another kind. Routes for users answer 401 to every caller without a user token (decision 53). A publishable key opens a route if the graph
 * permits the key. A user token sent with it adds no permissions on routes with the letter A.
 */
function authLetterError({ route: { auth, ownUserParam, rejectsKeys }, authorize }: PreparedRoute, caller: Caller): Error | null {
  if (auth === 'anyone') return null;
  const { platform, key, user } = caller;
  if (auth === 'user' || !(key || platform || user)) return createError('UNAUTHENTICATED', `expected ${requiredTokens[auth]}`);
  if (!key) return createError('FORBIDDEN', `this needs ${requiredTokens[auth]}`);
  const isPermitted = !ownUserParam && !rejectsKeys && !graphPolicyError(authorize, { ...caller, user: null });
  return isPermitted ? null : createError('FORBIDDEN', `a publishable key does not open this: it needs ${requiredTokens[auth]}`);
}

function accessError(prepared: PreparedRoute, caller: Caller, params: LegacyRequest['params']): unknown {
  const { platform, user } = caller;
  const { route, authorize } = prepared;
  const letterError = { platform, user, either: platform ?? user, anyone: true }[route.auth]
    ? null
    : authLetterError(prepared, caller);
  if (letterError) return letterError;
  const policyError = graphPolicyError(authorize, caller);
  if (policyError) return policyError;
  const isOtherUser = route.ownUserParam && !platform && user && params[route.ownUserParam] !== user.id;
  return isOtherUser ? createError('FORBIDDEN', 'a user token opens the records of that user only') : null;
}

/**
 * Removes a user token that the route ignores. Routes that do not act for a user ignore a rejected user token. Reads for platforms ignore every
 * user token that is sent with a platform token, so that they list the same records with and without it (decision 53).
 */
export function withoutIgnoredUser(alternatives: readonly PreparedRoute[], caller: Caller): Caller {
  if (alternatives.some(({ route }) => readsUserToken(route))) return caller;
  const { platform, user, rejected, isOnlyUserRejected } = caller;
  const isRead = alternatives.every(({ route, writes }) => route.auth === 'platform' && !writes);
  if (!isOnlyUserRejected && !(platform && user && isRead)) return caller;
  return {
    ...caller,
    user: platform && isRead ? null : user,
    rejected: rejected && !isOnlyUserRejected,
    isOnlyUserRejected: false,
  };
}

/** Returns the alternatives that a caller may use, or throws the first error. Runs before the body and arguments are read (decision 9). */
export function permittedAlternatives(
  alternatives: readonly PreparedRoute[],
  caller: Caller,
  params: LegacyRequest['params'],
): readonly PreparedRoute[] {
  if (caller.rejected) throw createError('UNAUTHENTICATED', 'the token is unknown, expired or revoked');
  const errors = alternatives.map((alternative) => accessError(alternative, caller, params));
  const permitted = alternatives.filter((_, index) => errors[index] === null);
  if (!permitted.length) throw errors[0];
  return permitted;
}
