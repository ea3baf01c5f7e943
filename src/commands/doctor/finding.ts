import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../../messaging/without-secrets.js';
import { StartProblem } from '../../start-problem.js';

/** What was found of one thing: it is right, it is wrong, or there is nothing to look at yet. */
export interface Finding {
  readonly state: 'right' | 'wrong' | 'open';
  /** What is so. */
  readonly says: string;
  /** How what is wrong is mended. */
  readonly mend?: string;
}

export const right = (says: string): Finding => ({ state: 'right', says });
export const notYet = (says: string): Finding => ({ state: 'open', says });
export const wrong = (says: string, mend: string): Finding => ({ state: 'wrong', says, mend });

/** What the service would say at its start: what is wrong, and behind the colon what to do. */
export function wrongAsTold(sentence: string): Finding {
  const [, says = sentence, mend = ''] = /^(.*?): (.*)$/s.exec(sentence) ?? [];
  return wrong(says, mend);
}

/** Most milliseconds that one thing is looked at. */
export const patience = 6_000;

/** Looks at something, however that goes: what fails, or takes too long, is a finding, too. */
export async function looked(work: () => Promise<Finding[]> | Finding[], longest = patience): Promise<Finding[]> {
  const end = new AbortController();
  const late = sleep(longest, null, { signal: end.signal }).catch(() => null);
  try {
    const found = await Promise.race([Promise.resolve().then(work), late]);
    return found ?? [wrong(`no answer within ${longest / 1000} s`, 'see whether it hangs, then look again.')];
  } catch (error) {
    if (error instanceof StartProblem) return error.sentences.map(wrongAsTold);
    return [wrong(`it cannot be looked at (${reasonOf(error)})`, 'see to that, then look again.')];
  } finally {
    end.abort();
  }
}
