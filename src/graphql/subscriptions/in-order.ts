/**
 * Maps values concurrently and yields the results in the order of the values. Maps at most `limit` values at once. Maps values with the
 * same key sequentially, so that a later result never contains older data than an earlier one.
 */
export async function* mapInOrder<T, R>(
  values: AsyncIterator<T>,
  map: (value: T) => Promise<R>,
  { limit, keyOf }: { readonly limit: number; readonly keyOf: (value: T) => string },
): AsyncGenerator<R, void> {
  const pending: Promise<R>[] = [];
  const lastOfKey = new Map<string, Promise<unknown>>();
  let nextRead: Promise<IteratorResult<T>> | null = null;
  let isDone = false;
  const start = (value: T): Promise<R> => {
    const key = keyOf(value);
    const previous = lastOfKey.get(key);
    const result = previous ? previous.then(() => map(value)) : map(value);
    // Errors are thrown later, in the order of the results.
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    lastOfKey.set(key, settled);
    void settled.then(() => lastOfKey.get(key) === settled && lastOfKey.delete(key));
    return result;
  };
  while (!isDone || pending.length > 0) {
    const [first] = pending;
    if (!isDone && pending.length < limit) nextRead ??= values.next();
    const nextValue = pending.length < limit && nextRead?.then((readResult) => ({ read: readResult }));
    const nextResult = first?.then((result) => ({ result }));
    const next = await Promise.race([nextResult, nextValue].filter((candidate) => candidate instanceof Promise));
    if ('result' in next) {
      pending.shift();
      yield next.result;
    } else {
      nextRead = null;
      isDone = next.read.done === true;
      if (next.read.done) continue;
      pending.push(start(next.read.value));
    }
  }
}
