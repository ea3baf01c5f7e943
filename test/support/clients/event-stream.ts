import { createClient } from 'graphql-sse';
import type { TestApp, Tokens } from '../servers/app.js';

/** What a subscriber is told. */
export interface Heard {
  data?: Record<string, Record<string, unknown>> | null;
  errors?: { message: string; extensions: { code: string } }[];
}

/** A subscription that is open: what it was told so far, and what comes next. */
export interface Subscribed {
  readonly heard: Heard[];
  /** Waits for so many events, all in all. */
  until(many: number): Promise<Heard[]>;
  /** Resolves when the service has ended it, or the client. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Subscribes over server-sent events, and waits until that is open. */
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
