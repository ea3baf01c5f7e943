import { quantity } from '../../process/quantity.js';
import type { ComparedRequest } from './findings.js';

/** Comparison of the statuses of both servers with the recorded statuses. */
export interface RecordedStatuses {
  /** Whether the status of every response differs from the recorded status, for example because a token is invalid. */
  readonly allDiffer: boolean;
  /** Line for the summary. Empty if no status differs. */
  readonly lines: readonly string[];
}

/**
 * Compares the statuses with the recording. Counts a request if both servers respond with the same status, and it differs from the recorded
 * status. Other differences between statuses are differences between the servers.
 */
export function compareRecordedStatuses(requests: readonly ComparedRequest[]): RecordedStatuses {
  const recorded = requests.filter(({ request }) => request.recordedStatus !== null);
  const changed = recorded.filter(({ request, status }) => status !== null && status !== request.recordedStatus);
  if (changed.length === 0) return { allDiffer: false, lines: [] };
  const counts = [...Map.groupBy(changed, ({ request, status }) => `${status} instead of ${request.recordedStatus}`)]
    .map(([change, { length }]) => ({ change, length }))
    .sort((a, b) => b.length - a.length)
    .map(({ change, length }) => `${change}: ${length}`);
  const responses = `${changed.length} of ${quantity(recorded.length, 'response')}`;
  return {
    allDiffer: changed.length === recorded.length,
    lines: [
      `${responses} ${changed.length === 1 ? 'differs' : 'differ'} in status from the recording, on both servers (${counts.join(', ')}).`,
    ],
  };
}
