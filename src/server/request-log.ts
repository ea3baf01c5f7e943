import type { Logger } from 'pino';
import type { FinishedRequest } from '../kernel/monitoring/request-facts.js';
import { logFieldsOf } from '../kernel/monitoring/request-fields.js';
import { unavailableCounts } from '../kernel/monitoring/unavailable.js';

const fieldsOf = ({ requestId, method, status, seconds, ...facts }: FinishedRequest): object => ({
  requestId,
  method,
  status,
  duration: Math.round(seconds * 100_000) / 100,
  ...logFieldsOf(facts),
});

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
