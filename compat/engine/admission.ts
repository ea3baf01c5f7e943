import type { Caller } from '../../src/graphql/run.js';
import { createError } from '../../src/kernel/declare/errors.js';
import type { PreparedRoute } from './prepare.js';
import { legacyPolicyError } from './reply/error-response.js';
import type { LegacyRequest } from './request/reader.js';
import { type Auth, readsUserToken } from './route.js';

const requiredTokens: Readonly<Record<Exclude<Auth, 'anyone'>, string>> = {
  platform: 'a platform token in the header PB-API-TOKEN',
  user: 'a user token in the header PB-USER-TOKEN',
  platformOrUser: 'a token in the header PB-API-TOKEN or PB-USER-TOKEN',
};

/** Returns the error that the GraphQL policies of an operation throw for a caller. Null if the policies permit the operation. */
function graphPolicyError(authorize: PreparedRoute['authorize'], caller: Caller): unknown {
  try {
    authorize(caller);
    return null;
  } catch (error) {
    return legacyPolicyError(error);
  }
}

/**
 * Returns the error for a caller without the token that a route requires (section 5). The status is 401 if the request has no token, and
 * 403 if it has another kind of token. Routes that require a user token always return 401 (decision 53). Returns null if the caller has a
 * publishable key that the route and its GraphQL policies accept. A user token that is sent with the key adds no permissions.
 */
function tokenError({ route: { auth, ownUserParam, rejectsKeys }, authorize }: PreparedRoute, caller: Caller): Error | null {
  if (auth === 'anyone') return null;
  const { platform, key, user } = caller;
  if (auth === 'user' || !(key || platform || user)) return createError('UNAUTHENTICATED', `expected ${requiredTokens[auth]}`);
  if (!key) return createError('FORBIDDEN', `this route requires ${requiredTokens[auth]}`);
  const isPermitted = !ownUserParam && !rejectsKeys && !graphPolicyError(authorize, { ...caller, user: null });
  return isPermitted
    ? null
    : createError('FORBIDDEN', `a publishable key is not accepted: this route requires ${requiredTokens[auth]}`);
}

function accessError(prepared: PreparedRoute, caller: Caller, params: LegacyRequest['params']): unknown {
  const { platform, user } = caller;
  const { route, authorize } = prepared;
  const missingTokenError = { platform, user, platformOrUser: platform ?? user, anyone: true }[route.auth]
    ? null
    : tokenError(prepared, caller);
  if (missingTokenError) return missingTokenError;
  const policyError = graphPolicyError(authorize, caller);
  if (policyError) return policyError;
  const isOtherUser = route.ownUserParam && !platform && user && params[route.ownUserParam] !== user.id;
  return isOtherUser ? createError('FORBIDDEN', 'a user token opens the records of that user only') : null;
}

/**
 * Returns the caller, without its user token if the route ignores that token. Routes that do not act for a user ignore an invalid user
 * token. Reads for platforms ignore any user token in a request with a platform token, so that their results do not depend on it (decision
 * 53).
 */
export function callerWithoutIgnoredUser(alternatives: readonly PreparedRoute[], caller: Caller): Caller {
  if (alternatives.some(({ route }) => readsUserToken(route))) return caller;
  const { platform, user, rejected, isOnlyUserRejected } = caller;
  const isPlatformRead = alternatives.every(({ route, isMutation }) => route.auth === 'platform' && !isMutation);
  if (!isOnlyUserRejected && !(platform && user && isPlatformRead)) return caller;
  return {
    ...caller,
    user: platform && isPlatformRead ? null : user,
    rejected: rejected && !isOnlyUserRejected,
    isOnlyUserRejected: false,
  };
}

/**
 * Returns the alternatives of a route that a caller may use. Throws if the token is invalid, or if none of the alternatives permits the
 * caller. Called before the body is read (decision 9).
 */
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
