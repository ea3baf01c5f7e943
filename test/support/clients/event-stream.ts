import { createClient } from 'graphql-sse';
import type { TestApp, Tokens } from '../servers/app.js';

/** An event that a subscriber received. */
export interface ReceivedEvent {
  data?: Record<string, Record<string, unknown>> | null;
  errors?: { message: string; extensions: { code: string } }[];
}

/** An open subscription with the events received so far. */
export interface OpenSubscription {
  readonly events: ReceivedEvent[];
  /** Waits until at least `many` events have been received in total, and returns all of them. */
  until(many: number): Promise<ReceivedEvent[]>;
  /** Resolves when the service or the client ends the stream. */
  readonly end: Promise<void>;
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
): Promise<OpenSubscription> {
  const events: ReceivedEvent[] = [];
  const waiting: (() => void)[] = [];
  let onOpen = () => {};
  const open = new Promise<void>((resolve) => {
    onOpen = resolve;
  });
  const client = createClient({
    url: `${app.origin}${path}`,
    retryAttempts: 0,
    headers: { ...more, ...(platform ? { 'PB-API-TOKEN': platform } : {}), ...(user ? { 'PB-USER-TOKEN': user } : {}) },
    fetchFn: async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request);
      onOpen();
      return response;
    },
  });
  let close = () => {};
  const end = new Promise<void>((resolve, reject) => {
    close = client.subscribe(
      { query, variables },
      {
        next: (event) => {
          events.push(event as ReceivedEvent);
          for (const look of waiting) look();
        },
        error: reject,
        complete: resolve,
      },
    );
  });
  let failed: Error | null = null;
  end.catch((error: Error) => {
    failed = error;
    onOpen();
    for (const look of waiting) look();
  });
  await open;
  return {
    events,
    end,
    close: () => close(),
    until: (many) =>
      new Promise((resolve, reject) => {
        const checkWaiter = () => (failed ? reject(failed) : events.length >= many && resolve(events));
        waiting.push(checkWaiter);
        checkWaiter();
      }),
  };
}
