import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../kernel/declare/context.js';

/**
 * Runs work that takes longer for existing accounts. Waits at least `ACCOUNT_MIN_DURATION` before it returns or throws, so that the
 * response time does not reveal whether an account exists.
 */
export async function withMinimumDuration<T>({ services }: Context, work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), sleep(services.settings.accountMinDuration)]);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
