/** Maps items with a limited number of concurrent calls. Yields each item with its result, in the order of the items. */
export async function* prefetch<T, R>(
  items: Iterable<T>,
  concurrency: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<readonly [T, R]> {
  const pending: { item: T; result: Promise<R> }[] = [];
  for (const item of items) {
    const result = map(item);
    // Prevents an unhandled rejection. The error is thrown when the result is awaited.
    result.catch(() => undefined);
    pending.push({ item, result });
    if (pending.length < concurrency) continue;
    const next = pending.shift();
    if (next) yield [next.item, await next.result];
  }
  for (const { item, result } of pending) yield [item, await result];
}
