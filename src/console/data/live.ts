import { graphql } from 'courtside-sdk';
import { useEffect, useRef } from 'preact/hooks';
import { useSubscription } from './changes.ts';
import { useRefresh } from './refresh.ts';
import { hasRole, useSession } from './session.ts';

const Changes = graphql(`subscription ConsoleRecordChanges($records: [String!], $after: String) {
  changes(records: $records, after: $after) { kind cursor id }
}`);

/** Minimum time between two reloads, in milliseconds. Busy records, such as those of a live match, change several times a second. */
const reloadInterval = 1_000;

/** Interval at which data is read again for viewers who receive no changes, in seconds. */
const refreshInterval = 10;

/**
 * Reloads displayed data when records of a type change, at most once per interval. `cursor` is the `liveCursor` of the data. Only users
 * with the role ADMIN receive changes. For other users, and if there is no cursor, the data is reloaded periodically. With `id`, only
 * changes to this record count.
 */
export function useReloadOnChange(type: string, cursor: string | null | undefined, reload: () => void, id?: string): void {
  const { viewer } = useSession();
  const after = hasRole(viewer, 'ADMIN') ? (cursor ?? undefined) : undefined;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const latestReload = useRef(reload);
  latestReload.current = reload;
  useSubscription(Changes, { records: [type] }, after, (event) => {
    // An event without an ID means that changes were missed.
    if (id !== undefined && event.id !== null && event.id !== id) return;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      latestReload.current();
    }, reloadInterval);
  });
  useRefresh(() => after === undefined && reload(), refreshInterval);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);
}
