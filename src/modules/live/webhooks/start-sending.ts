import { failureFields } from '../../../kernel/database-errors.js';
import type { Services } from '../../../kernel/declare/context.js';
import type { BackgroundWork } from '../../../kernel/serve/module.js';
import { type Pools, Session } from '../../../kernel/session.js';
import type { Dispatcher } from './dispatcher.js';
import type { PostOptions } from './post.js';
import { defaultRetryPauses, type RetryPauses } from './retry-pauses.js';
import { hasActiveWebhook } from './webhook-sql.js';

/** Intervals and timeouts, which tests shorten. */
export interface SendingOptions {
  /** Polling interval in milliseconds while no webhook is active. */
  readonly idleInterval: number;
  /** Polling interval in milliseconds while webhooks are active. */
  readonly busyInterval: number;
  /** Interval in milliseconds at which the log positions of idle webhooks are stored. */
  readonly positionInterval: number;
  readonly pauses: RetryPauses;
  /** Maximum time in milliseconds to wait for the attempts in progress when the process stops. */
  readonly grace: number;
  readonly postOptions?: Partial<PostOptions>;
}

const defaultOptions: SendingOptions = {
  idleInterval: 5_000,
  busyInterval: 1_000,
  positionInterval: 60_000,
  grace: 5_000,
  pauses: defaultRetryPauses,
};

/** Minimum interval between two logged errors, in milliseconds. */
const minLogInterval = 10_000;

/** Sends webhook deliveries, in one process at a time. Loads the sending code and opens a connection only when a webhook becomes active. */
export function startSendingWebhooks(pools: Pools, services: Services, options: SendingOptions = defaultOptions): BackgroundWork {
  const { changes, outbox, settings, log } = services;
  const stopController = new AbortController();
  /** Aborts the attempts in progress. */
  const abortController = new AbortController();
  let quietUntil = 0;
  const logError = (error: unknown) => {
    if (stopController.signal.aborted || performance.now() < quietUntil) return;
    // Logs one error per `minLogInterval`, because every attempt fails while the database is unreachable.
    quietUntil = performance.now() + minLogInterval;
    log.warn(failureFields(error), 'webhook processing failed, will be retried');
  };
  let dispatcher: Dispatcher | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function createDispatcher(): Promise<Dispatcher> {
    const { Dispatcher } = await import('./dispatcher.js');
    const policy = { networks: settings.webhooks.networks, isProduction: settings.isProduction };
    const postOptions = { policy, signal: abortController.signal, ...options.postOptions };
    const deliverOptions = { pauses: options.pauses, keys: settings.webhooks.keys, postOptions, outbox, log };
    return new Dispatcher({
      pools: services.backgroundPools(),
      changes,
      onError: logError,
      positionInterval: options.positionInterval,
      deliverOptions,
      connection: settings.listenConnection,
    });
  }

  async function check(): Promise<boolean> {
    if (!dispatcher && !(await hasActiveWebhook(new Session(pools, 'write')))) return false;
    dispatcher ??= await createDispatcher();
    return dispatcher.check();
  }

  let currentCheck = Promise.resolve();
  const schedule = (pause: number) => {
    timer = setTimeout(() => {
      currentCheck = check()
        .catch((error: Error) => {
          logError(error);
          return true;
        })
        .then((isBusy) => {
          if (!stopController.signal.aborted) schedule(isBusy ? options.busyInterval : options.idleInterval);
        });
    }, pause).unref();
  };
  schedule(options.busyInterval);

  return {
    async stop() {
      clearTimeout(timer);
      stopController.abort();
      const graceTimer = setTimeout(() => abortController.abort(), options.grace).unref();
      await currentCheck;
      await dispatcher?.stop();
      clearTimeout(graceTimer);
    },
  };
}
