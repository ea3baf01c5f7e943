/**
 * Makes something of each value, and yields the results in the order of the values. At most `most` are in progress at once. Those of the same
 * key are made one after the other, so that a later one never reads older data than an earlier one.
 */
export async function* inOrder<T, R>(
  all: AsyncIterator<T>,
  make: (one: T) => Promise<R>,
  { most, keyOf }: { readonly most: number; readonly keyOf: (one: T) => string },
): AsyncGenerator<R, void> {
  const coming: Promise<R>[] = [];
  const lastOfKey = new Map<string, Promise<unknown>>();
  let reading: Promise<IteratorResult<T>> | null = null;
  let isOver = false;
  const begin = (value: T): Promise<R> => {
    const key = keyOf(value);
    const before = lastOfKey.get(key);
    const making = before ? before.then(() => make(value)) : make(value);
    // An error is thrown when the turn of the result comes.
    const settled = making.then(
      () => undefined,
      () => undefined,
    );
    lastOfKey.set(key, settled);
    void settled.then(() => lastOfKey.get(key) === settled && lastOfKey.delete(key));
    return making;
  };
  while (!isOver || coming.length > 0) {
    const [first] = coming;
    if (!isOver && coming.length < most) reading ??= all.next();
    const isRead = coming.length < most && reading?.then((read) => ({ read }));
    const isMade = first?.then((made) => ({ made }));
    const next = await Promise.race([isMade, isRead].filter((each) => each instanceof Promise));
    if ('made' in next) {
      coming.shift();
      yield next.made;
    } else {
      reading = null;
      isOver = next.read.done === true;
      if (next.read.done) continue;
      coming.push(begin(next.read.value));
    }
  }
}
