import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../kernel/declare/context.js';

/**
 * Runs work that takes longer for existing accounts. Returns or throws after `ACCOUNT_MIN_DURATION` at the earliest, to keep the response time
 * from revealing whether an account exists.
 */
export async function withMinimumDuration<T>({ services }: Context, work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), sleep(services.settings.accountMinDuration)]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
