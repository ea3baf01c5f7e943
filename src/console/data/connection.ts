import { useEffect, useState } from 'preact/hooks';

/** Interval at which the console checks whether a lost connection has been restored, in milliseconds. */
const checkInterval = 2_000;
/** Timeout of each check whether the connection to the service has been restored, in milliseconds. */
const checkTimeout = 5_000;

/** Connection to the service, as observed by the requests of the console. */
export interface Connection {
  /** Sends a request and updates the state of the connection. */
  readonly fetch: typeof fetch;
  isLost(): boolean;
  /** Calls a function after each change of the connection state. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
  /** Whether the service can be reached. If the connection is lost or the browser is offline, checks again before it returns. */
  isAvailable(): Promise<boolean>;
  /** Resolves when the connection is not lost. */
  restored(): Promise<void>;
  /** Reads all displayed data again, as when a lost connection is restored. */
  refresh(): void;
}

/** Statuses that a proxy sends if it cannot reach the service. */
const unreachableStatuses = [502, 504];

export function createConnection(): Connection {
  const listeners = new Set<() => void>();
  let isLost = false;
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const setLost = (value: boolean) => {
    if (isLost === value) return;
    isLost = value;
    notify();
    if (isLost) checkLater();
  };
  const observedFetch: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init);
      setLost(unreachableStatuses.includes(response.status));
      return response;
    } catch (error) {
      // Requests are also aborted when a page no longer needs them. An abort means that the connection is lost only if a timeout caused it.
      const { signal } = init ?? {};
      if (!signal?.aborted || signal.reason?.name === 'TimeoutError') setLost(true);
      throw error;
    }
  };
  let timer = 0;
  const check = () =>
    observedFetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(checkTimeout) })
      .catch(() => undefined)
      .finally(() => isLost && checkLater());
  const checkLater = () => {
    clearTimeout(timer);
    timer = window.setTimeout(check, checkInterval);
  };
  addEventListener('offline', () => setLost(true));
  addEventListener('online', () => isLost && check());
  const onChange = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    fetch: observedFetch,
    isLost: () => isLost,
    onChange,
    async isAvailable() {
      // `navigator.onLine` changes before the event `offline` is sent. Even when the browser is offline, a local service can be reached.
      if (isLost || !navigator.onLine) await check();
      return !isLost;
    },
    restored: () =>
      new Promise((resolve) => {
        if (!isLost) return resolve();
        const stop = onChange(() => {
          if (isLost) return;
          stop();
          resolve();
        });
      }),
    refresh: notify,
  };
}

/** Whether the connection to the service is lost. */
export function useIsConnectionLost(connection: Connection): boolean {
  const [isLost, setLost] = useState(connection.isLost());
  useEffect(() => {
    const update = () => setLost(connection.isLost());
    // The state may have changed since the component was rendered.
    update();
    return connection.onChange(update);
  }, [connection]);
  return isLost;
}
