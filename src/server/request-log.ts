import type { Logger } from 'pino';
import type { Caller } from '../kernel/declare/policy/caller.js';
import type { FinishedRequest } from '../kernel/monitoring/request-facts.js';
import { unavailableCounts } from '../kernel/monitoring/unavailable.js';

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

/** Returns the fields of the log line. They contain no values from the request, except for the name of the operation. */
function fieldsOf({ requestId, method, route, status, seconds, caller, operation, unavailability }: FinishedRequest): object {
  return {
    requestId,
    method,
    route,
    status,
    duration: Math.round(seconds * 100_000) / 100,
    caller: callerKindOf(caller),
    platformId: caller?.platform?.id ?? caller?.key?.platformId,
    platform: caller?.platform?.name,
    operation: operation?.type,
    operationName: operation?.name?.slice(0, maxNameLength),
    ...unavailability,
  };
}

/**
 * Returns a function that writes the log line of a request. Requests that failed because the service was unavailable are always logged, and
 * counted by reason. Other requests are logged only if `logsAll` is true.
 */
export function requestLog(log: Logger, logsAll: boolean): (request: FinishedRequest) => void {
  const isEnabled = logsAll && log.isLevelEnabled('info');
  return (request) => {
    if (request.unavailability) {
      unavailableCounts.add(request.unavailability.reason);
      log.warn(fieldsOf(request), 'request unavailable');
    } else if (isEnabled) log.info(fieldsOf(request), 'request');
  };
}
