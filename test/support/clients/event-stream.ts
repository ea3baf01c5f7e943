import { createClient } from 'graphql-sse';
import type { TestApp, Tokens } from '../servers/app.js';

/** An event that a subscriber received. */
export interface Heard {
  data?: Record<string, Record<string, unknown>> | null;
  errors?: { message: string; extensions: { code: string } }[];
}

/** An open subscription with the events received so far. */
export interface Subscribed {
  readonly heard: Heard[];
  /** Waits until the total number of received events reaches the argument. */
  until(many: number): Promise<Heard[]>;
  /** Resolves when the service or the client has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Subscribes over server-sent events. Resolves when the subscription is open. */
export async function subscribe(
  app: Pick<TestApp, 'origin'>,
  { platform, user }: Tokens,
  query: string,
  variables: Record<string, unknown> = {},
  path = '/graphql',
  more: Record<string, string> = {},
): Promise<Subscribed> {
  const heard: Heard[] = [];
  const waiting: (() => void)[] = [];
  let opened = () => {};
  const open = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const client = createClient({
    url: `${app.origin}${path}`,
    retryAttempts: 0,
    headers: { ...more, ...(platform ? { 'PB-API-TOKEN': platform } : {}), ...(user ? { 'PB-USER-TOKEN': user } : {}) },
    fetchFn: async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request);
      opened();
      return response;
    },
  });
  let close = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    close = client.subscribe(
      { query, variables },
      {
        next: (event) => {
          heard.push(event as Heard);
          for (const look of waiting) look();
        },
        error: reject,
        complete: resolve,
      },
    );
  });
  let failed: Error | null = null;
  ended.catch((error: Error) => {
    failed = error;
    opened();
    for (const look of waiting) look();
  });
  await open;
  return {
    heard,
    ended,
    close: () => close(),
    until: (many) =>
      new Promise((resolve, reject) => {
        const look = () => (failed ? reject(failed) : heard.length >= many && resolve(heard));
        waiting.push(look);
        look();
      }),
  };
}
