import { useRef, useState } from 'preact/hooks';
import { type List, useList, useSubscription, withLabels } from '../data/index.ts';
import { type ApprovalItem, ApprovalItems, ItemChanges } from './documents.ts';
import type { Kind } from './texts.ts';

/** Item states by which the list can be filtered. `MINE` are the pending items that need the approval of the viewer. */
export const stateTitles = {
  MINE: 'Waiting for me',
  PENDING: 'All pending',
  APPROVED: 'Approved',
  DECLINED: 'Declined',
} as const;

export const orderTitles = {
  OLDEST: 'Oldest first',
  NEWEST: 'Newest first',
  KIND: 'By kind',
  OWNER: 'By owner',
} as const;

export interface QueueFilters {
  readonly state: keyof typeof stateTitles;
  /** Kind of items. Null selects all kinds. */
  readonly kind: Kind | null;
  readonly order: keyof typeof orderTitles;
  /** Words in the names of owners. Empty selects all owners. */
  readonly owner: string;
}

const orderBy = {
  OLDEST: [{ field: 'CREATED_AT', direction: 'ASC' }],
  NEWEST: [{ field: 'CREATED_AT', direction: 'DESC' }],
  KIND: [{ field: 'TYPE', direction: 'ASC' }],
  // Keeps the items of each owner together, even if owners have the same name.
  OWNER: [
    { field: 'OWNER_NAME', direction: 'ASC' },
    { field: 'OWNER_ID', direction: 'ASC' },
  ],
} as const;

/** Delay before the list is read again after a change, in milliseconds. All changes within the delay cause a single request. */
const reloadDelay = 300;

interface Queue {
  readonly list: List<ApprovalItem>;
  readonly totalCount: number | null;
  /** Hides an item that the viewer has decided on, before the service has responded. */
  hide(item: ApprovalItem): void;
  /** Called when the service has responded to the decision on a hidden item. */
  settle(item: ApprovalItem): void;
  /** Shows a hidden item again, because the decision failed or was undone. */
  show(item: ApprovalItem): void;
}

/**
 * Reads the items that match the filters. The list is updated when any moderator changes an item. `onChange` is called with the node ID of
 * the changed item, or with null if changes were missed.
 */
export function useQueue({ state, kind, order, owner }: QueueFilters, onChange: (nodeId: string | null) => void): Queue {
  const isMine = state === 'MINE';
  const filter = { ...(kind && { type: { eq: kind } }), ...(owner && { ownerName: owner }) };
  const all = isMine ? filter : { ...filter, state: { eq: state } };
  const list = useList(
    ApprovalItems,
    { isMine, own: filter, all, orderBy: [...orderBy[order]] },
    ({ viewer, approvalItems }) => viewer?.pendingApprovals ?? approvalItems,
  );
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const show = (nodeIds: ReadonlySet<string>) => setHidden((previous) => new Set([...previous].filter((id) => !nodeIds.has(id))));
  // IDs of the items that need approval again, each with the number of the latest event that reported this. A hidden item is shown again when
  // the list has been read after the event and after the response to the viewer's latest decision. An event can be older than that decision.
  const waiting = useRef(new Map<string, number>());
  /** IDs of the items with a decision to which the service has not responded yet. */
  const pendingDecisions = useRef(new Set<string>());
  const eventCount = useRef(0);
  const reloadTimer = useRef(0);
  const latestReload = useRef(list.reloadAndNotify);
  latestReload.current = list.reloadAndNotify;
  const reload = () => {
    const requested = [...waiting.current];
    latestReload.current(() => {
      const current = requested.filter(([id, event]) => waiting.current.get(id) === event && !pendingDecisions.current.has(id));
      for (const [id] of current) waiting.current.delete(id);
      if (current.length > 0) show(new Set(current.map(([id]) => id)));
    });
  };
  const reloadSoon = () => {
    clearTimeout(reloadTimer.current);
    reloadTimer.current = window.setTimeout(reload, reloadDelay);
  };
  useSubscription(ItemChanges, {}, list.data?.liveCursor, ({ item, isWaiting }) => {
    // The item needs approval again, for example because its owner submitted it again.
    if (item && isWaiting) waiting.current.set(item.approval.id, ++eventCount.current);
    onChange(item?.approval.id ?? null);
    reloadSoon();
  });
  const { viewer, approvalItems } = list.data ?? {};
  // Items that the viewer has decided on are hidden only in the viewer's own queue.
  const items = isMine ? list.items.filter((item) => !hidden.has(item.approval.id)) : list.items;
  const totalCount = (viewer?.pendingApprovals ?? approvalItems)?.totalCount;
  return {
    list: { ...list, items, failure: withLabels(list.failure, { 'filter.ownerName': 'Owner name' }) },
    totalCount: totalCount === undefined ? null : totalCount - (list.items.length - items.length),
    hide({ approval }) {
      waiting.current.delete(approval.id);
      pendingDecisions.current.add(approval.id);
      setHidden((previous) => new Set(previous).add(approval.id));
    },
    settle({ approval }) {
      pendingDecisions.current.delete(approval.id);
      if (waiting.current.has(approval.id)) reloadSoon();
    },
    show({ approval }) {
      show(new Set([approval.id]));
      reloadSoon();
    },
  };
}
