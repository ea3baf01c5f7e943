import type { Services } from '../../../kernel/declare/context.js';
import type { Ongoing } from '../../../kernel/serve/module.js';
import { type Pools, Session } from '../../../kernel/session.js';
import type { Dispatcher } from './dispatch.js';
import type { PostOptions } from './post.js';
import { forADay, type RetryPauses } from './retry-pauses.js';
import { isAnyAtWork } from './webhook-sql.js';

/** When one looks and waits, which tests have shorter. */
export interface SendingPace {
  /** Pause between two looks whether there is a webhook, and at those there are, in milliseconds. */
  readonly idle: number;
  readonly busy: number;
  /** How often the place is noted of webhooks to which nothing happens, in milliseconds. */
  readonly noted: number;
  readonly pauses: RetryPauses;
  /** For how long what is on its way may come to its end when the process stops, in milliseconds. */
  readonly grace: number;
  readonly posting?: Partial<PostOptions>;
}

const usual: SendingPace = { idle: 5_000, busy: 1_000, noted: 60_000, grace: 5_000, pauses: forADay };

/** How long no other trouble is told after one, in milliseconds. */
const quiet = 10_000;

/** Sends what webhooks hear of, in one process at a time. While there are none it looks for some every few seconds, and loads and opens nothing. */
export function keepSending(pools: Pools, services: Services, pace: SendingPace = usual): Ongoing {
  const { changes, outbox, settings, log } = services;
  const end = new AbortController();
  /** Cuts off what is on its way. */
  const cut = new AbortController();
  let quietUntil = 0;
  const trouble = ({ message }: Error) => {
    if (end.signal.aborted || performance.now() < quietUntil) return;
    // A database that is away fails whatever is tried.
    quietUntil = performance.now() + quiet;
    log.warn({ reason: message }, 'webhooks could not be looked after, will be tried again');
  };
  let dispatcher: Dispatcher | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function make(): Promise<Dispatcher> {
    const { Dispatcher } = await import('./dispatch.js');
    const reach = { networks: settings.webhooks.networks, isProduction: settings.isProduction };
    const posting = { reach, signal: cut.signal, ...pace.posting };
    const delivering = { pauses: pace.pauses, keys: settings.webhooks.keys, posting, outbox, log };
    return new Dispatcher({ pools: services.aside(), changes, trouble, noted: pace.noted, delivering, url: settings.listenUrl });
  }

  async function look(): Promise<boolean> {
    if (!dispatcher && !(await isAnyAtWork(new Session(pools, 'write')))) return false;
    dispatcher ??= await make();
    return dispatcher.look();
  }

  let looking = Promise.resolve();
  const again = (pause: number) => {
    timer = setTimeout(() => {
      looking = look()
        .catch((error: Error) => {
          trouble(error);
          return true;
        })
        .then((isBusy) => {
          if (!end.signal.aborted) again(isBusy ? pace.busy : pace.idle);
        });
    }, pause).unref();
  };
  again(pace.busy);

  return {
    async stop() {
      clearTimeout(timer);
      end.abort();
      const late = setTimeout(() => cut.abort(), pace.grace).unref();
      await looking;
      await dispatcher?.stop();
      clearTimeout(late);
    },
  };
}
