import { graphql } from 'courtside-sdk';
import { useEffect, useRef } from 'preact/hooks';
import { useSubscription } from '../data/index.ts';

const Changes = graphql(`subscription ConsoleRecordChanges($records: [String!], $after: String) {
  changes(records: $records, after: $after) { kind cursor id }
}`);

/** Minimum time between two reloads, in milliseconds. Busy records, such as those of a live match, change several times a second. */
const reloadInterval = 1_000;

/**
 * Reloads displayed data when records of a type change, at most once per interval. `cursor` is the `liveCursor` of the data. Without it, the
 * viewer receives no changes. With `id`, only changes to this record count.
 */
export function useReloadOnChange(type: string, cursor: string | null | undefined, reload: () => void, id?: string): void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const latestReload = useRef(reload);
  latestReload.current = reload;
  useSubscription(Changes, { records: [type] }, cursor ?? undefined, (event) => {
    // An event without an ID says that changes were missed.
    if (id !== undefined && event.id !== null && event.id !== id) return;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      latestReload.current();
    }, reloadInterval);
  });
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
}
