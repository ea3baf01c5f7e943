/** So many are worked out at once for one who is behind: while many write, each answer waits for its turn at the database. */
const most = 4;

/** What is made of each, in their order; some are worked out while those before them are not done. */
export async function* inOrder<T, R>(all: AsyncIterator<T>, make: (one: T) => Promise<R>): AsyncGenerator<R, void> {
  const coming: Promise<R>[] = [];
  let reading: Promise<IteratorResult<T>> | null = null;
  let isOver = false;
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
      const making = make(next.read.value);
      // It is told of when its turn comes.
      making.catch(() => undefined);
      coming.push(making);
    }
  }
}
