import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../messaging/safe-reason.js';
import { StartProblem } from '../../process/start-problem.js';

/** Result of a check. `warning` is a problem that does not stop the service. `skipped` means that there is nothing to check. */
export interface Finding {
  readonly state: 'passed' | 'failed' | 'warning' | 'skipped';
  /** Description of the state or problem, without a final period. */
  readonly message: string;
  /** Instruction for fixing the problem, with a final period. */
  readonly fix?: string;
}

export const passedFinding = (message: string): Finding => ({ state: 'passed', message });
export const skippedFinding = (message: string): Finding => ({ state: 'skipped', message });
export const warningFinding = (message: string, fix: string): Finding => ({ state: 'warning', message, fix });
export const failedFinding = (message: string, fix: string): Finding => ({ state: 'failed', message, fix });

/** Matches a problem and an instruction. Other text after a colon, such as a list of valid values, is part of the problem. */
const problemAndFix =
  /^(.*?): ((?:add|check|choose|correct|create|end|export|free|install|let|make|move|put|reduce|remove|renew|run|see|set|start|stop|unset|upgrade|use|write)\b.*)$/s;

/** Converts a message, which can have the format `problem: fix`, to a finding. */
export function findingFromMessage(sentence: string): Finding {
  const [, message, fix] = problemAndFix.exec(sentence) ?? [];
  return message && fix ? failedFinding(message, fix) : { state: 'failed', message: sentence.replace(/\.$/, '') };
}

/** Timeout of a check, in milliseconds. */
const checkTimeout = 6_000;

/** Runs a check. An exception or a timeout becomes a failed finding. */
export async function runCheck(check: () => Promise<Finding[]> | Finding[], timeout = checkTimeout): Promise<Finding[]> {
  const finished = new AbortController();
  const timedOut = sleep(timeout, null, { signal: finished.signal }).catch(() => null);
  try {
    const findings = await Promise.race([Promise.resolve().then(check), timedOut]);
    return (
      findings ?? [
        failedFinding(`no response within ${timeout / 1000} s`, 'restart the server if it hangs, then run the doctor again.'),
      ]
    );
  } catch (error) {
    if (error instanceof StartProblem) return error.sentences.map(findingFromMessage);
    return [failedFinding(`the check failed (${reasonOf(error)})`, 'correct this error, then run the doctor again.')];
  } finally {
    finished.abort();
  }
}
