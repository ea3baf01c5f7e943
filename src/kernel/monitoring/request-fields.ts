import type { Caller } from '../declare/policy/caller.js';
import type { RequestFacts } from './request-facts.js';

/** Maximum length of operation names in the log, in characters. */
const maxNameLength = 100;

/** Returns how the caller authenticated. Undefined if the caller was not identified. */
function callerKindOf(caller: Caller | null): string | undefined {
  if (!caller) return undefined;
  const { rejected, platform, user, key } = caller;
  if (rejected) return 'rejected';
  if (platform) return user ? 'platform for user' : 'platform';
  if (user) return 'user';
  return key ? 'key' : 'anonymous';
}

/** Returns the log fields for a request, without its ID. They contain no values from the request except the operation name. */
export const logFieldsOf = ({
  route,
  caller,
  operation,
  operationName,
  unavailability,
}: Omit<RequestFacts, 'requestId'>): object => ({
  route,
  caller: callerKindOf(caller),
  platformId: caller?.platform?.id ?? caller?.key?.platformId,
  platform: caller?.platform?.name,
  operation: operation?.type,
  operationName: operationName?.slice(0, maxNameLength),
  ...unavailability,
});
