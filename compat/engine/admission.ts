import type { Caller } from '../../src/gateway/run.js';
import { problem } from '../../src/kernel/errors.js';
import type { Prepared } from './prepare.js';
import type { LegacyRequest } from './reader.js';
import type { Auth } from './route.js';

const wanted: Readonly<Record<Exclude<Auth, 'anyone'>, string>> = {
  platform: 'a platform token in the header PB-API-TOKEN',
  user: 'a user token in the header PB-USER-TOKEN',
  either: 'a token in the header PB-API-TOKEN or PB-USER-TOKEN',
};

/** What keeps a caller out by the auth letter (section 5): no token is 401, the wrong kind 403. */
function refusal(auth: Auth, { platform, user }: Caller): Error | null {
  const opens = { platform, user, either: platform ?? user, anyone: true }[auth];
  if (opens || auth === 'anyone') return null;
  return platform || user
    ? problem('FORBIDDEN', `this needs ${wanted[auth]}`)
    : problem('UNAUTHENTICATED', `expected ${wanted[auth]}`);
}

function refusalOf({ route: { auth, own }, authorize }: Prepared, caller: Caller, params: LegacyRequest['params']): unknown {
  const byLetter = refusal(auth, caller);
  if (byLetter) return byLetter;
  try {
    authorize(caller);
  } catch (error) {
    return error;
  }
  const foreign = own && !caller.platform && caller.user && params[own] !== caller.user.id;
  return foreign ? problem('FORBIDDEN', 'a user token opens the records of that user only') : null;
}

/** The alternatives that are open to a caller; throws the first refusal when none is. Comes before body and arguments are looked at (decision 9). */
export function admitted(
  alternatives: readonly Prepared[],
  caller: Caller,
  params: LegacyRequest['params'],
): readonly Prepared[] {
  if (caller.rejected) throw problem('UNAUTHENTICATED', 'the token is unknown, expired or revoked');
  const refusals = alternatives.map((alternative) => refusalOf(alternative, caller, params));
  const open = alternatives.filter((_, index) => refusals[index] === null);
  if (!open.length) throw refusals[0];
  return open;
}
