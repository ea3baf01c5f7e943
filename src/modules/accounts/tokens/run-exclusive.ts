const lastTaskByKey = new Map<string, Promise<unknown>>();

/** Runs tasks with the same key one at a time, in the order of the calls. Covers only tasks of this process. */
export async function runExclusive<T>(key: string, task: () => Promise<T>): Promise<T> {
  const result = (lastTaskByKey.get(key) ?? Promise.resolve()).then(task);
  const settledTask = result.catch(() => undefined);
  lastTaskByKey.set(key, settledTask);
  try {
    return await result;
  } finally {
    if (lastTaskByKey.get(key) === settledTask) lastTaskByKey.delete(key);
  }
}
