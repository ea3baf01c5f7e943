import { useEffect, useRef, useState } from 'preact/hooks';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { Field } from '../elements/field.tsx';
import { DateTime, formatNumber } from '../elements/formats.tsx';
import { NotFound } from '../elements/not-found.tsx';
import { Page } from '../elements/page.tsx';
import { Shortcuts } from '../elements/shortcuts.tsx';
import { ListStates } from '../elements/table.tsx';
import { changeSearch, hasUnsavedInput, hrefOf, mayLeave, useConsoleLocation } from '../router.ts';
import { type Decisions, useDecisions } from './decisions.ts';
import type { ApprovalItem } from './documents.ts';
import { Filters, filtersIn } from './filters.tsx';
import { ItemDetail } from './item-detail.tsx';
import { useQueue } from './queue.ts';
import { canBeDeclined, kindOf, submittedAt, subtitleOf, titleOf } from './texts.ts';

/** The next page is loaded when fewer than this number of items are left, including the selected item. */
const loadAhead = 10;

/** Task in which moderators approve and decline items. */
export default function Approvals() {
  if (useConsoleLocation().segments.length > 1) return <NotFound back={['approvals']} backLabel="Go to the queue" />;
  return <Queue />;
}

function Queue() {
  const { search } = useConsoleLocation();
  const filters = filtersIn(search);
  const selectedParameter = search.get('item');
  const [changeCounts, setChangeCounts] = useState<Readonly<Record<string, number>>>({});
  const [hasFocus, setHasFocus] = useState(false);
  const [declined, setDeclined] = useState<ApprovalItem | null>(null);
  const queue = useQueue(filters, (nodeId) => {
    // If changes were missed (`nodeId` is null), the selected item may have changed.
    const changedId = nodeId ?? selectedParameter;
    if (changedId) setChangeCounts((counts) => ({ ...counts, [changedId]: (counts[changedId] ?? 0) + 1 }));
  });
  const { list } = queue;
  const { items } = list;
  // Without a parameter, the first item is selected. It stays selected when the list changes, so that the viewer does not approve or
  // decline another item by mistake.
  const firstItem = useRef<{ filters: string; id: string | null }>({ filters: '', id: null });
  const filterKey = JSON.stringify(filters);
  if (firstItem.current.filters !== filterKey) firstItem.current = { filters: filterKey, id: null };
  // The item stays selected when the user goes back to the list.
  if (selectedParameter) firstItem.current.id = selectedParameter;
  firstItem.current.id ??= items[0]?.approval.id ?? null;
  const selectedId = selectedParameter ?? firstItem.current.id;
  const index = items.findIndex(({ approval }) => approval.id === selectedId);
  // Index of the selected item in the list. Stays the same after the item has left the list.
  const position = useRef(0);
  if (index >= 0) position.current = index;
  const selected = items[index];

  const detail = useRef<HTMLElement>(null);
  /** Whether the selected item is visible. Narrow pages show either the list or the item. */
  const isShown = () => detail.current?.checkVisibility() ?? false;

  /** Whether the task is still open. */
  const isOpen = useRef(true);
  useEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );
  const select = (item: ApprovalItem | undefined) => {
    // A decision can be undone after the user has opened another task.
    if (!isOpen.current) return;
    setHasFocus(true);
    firstItem.current.id = null;
    changeSearch({ item: item?.approval.id ?? null }, { replaces: true });
  };
  // The displayed item. Links can open an item that the list does not contain.
  const shownItem = useRef<ApprovalItem | null>(null);
  if (!selectedId) shownItem.current = null;
  /** Runs an action on the selected item. If only the list is shown, opens the item instead. */
  const withShown = (run: (item: ApprovalItem) => void) => () => {
    if (!shownItem.current) return;
    if (isShown()) run(shownItem.current);
    else select(shownItem.current);
  };
  // ID of the last loaded item, if the user has moved past it. The next item is selected when it is loaded.
  const passedItemId = useRef<string | null>(null);
  const move = (step: 1 | -1) => {
    if (selected && !isShown()) return select(selected);
    const next = items[index < 0 && step === 1 ? position.current : position.current + step];
    passedItemId.current = !next && step === 1 && list.hasMore ? selectedId : null;
    if (next && mayLeave()) select(next);
  };
  useEffect(() => {
    if (passedItemId.current === null) return;
    if (passedItemId.current !== selectedId) passedItemId.current = null;
    else if (items[index + 1]) move(1);
  });
  const isQueue = filters.state === 'MINE';
  const decisions = useDecisions({
    onDecide(item) {
      setDeclined(null);
      // Outside the viewer's queue, the item stays visible until the list is read again.
      if (!isQueue) return;
      const at = items.findIndex(({ approval }) => approval.id === item.approval.id);
      queue.hide(item);
      select(items[at + 1] ?? items[at - 1]);
    },
    onResponse: queue.settle,
    onUndo(item) {
      queue.show(item);
      if (isQueue && !hasUnsavedInput()) select(item);
    },
  });
  /**
   * Whether to continue with a decision. In the queue, a decision opens the next item, so the viewer must confirm if a comment would be
   * lost.
   */
  const mayDecide = () => !isQueue || mayLeave();
  const approve = (item: ApprovalItem) => mayDecide() && decisions.approve(item);
  useEffect(() => {
    if (list.hasMore && !list.isLoadingMore && items.length - position.current < loadAhead) list.loadMore();
  });
  const openDecline = (item: ApprovalItem) => {
    if (!mayDecide()) return;
    decisions.resetDecline();
    setDeclined(item);
  };
  const shortcuts = [
    { key: 'j', description: 'Next item', run: () => move(1) },
    { key: 'k', description: 'Previous item', run: () => move(-1) },
    {
      key: 'a',
      description: 'Approve the item',
      run: withShown((item) => item.viewerCan.approve && approve(item)),
    },
    {
      key: 'd',
      description: 'Decline the item',
      run: withShown((item) => item.approval.state === 'PENDING' && canBeDeclined(kindOf(item)) && openDecline(item)),
    },
    { key: 'u', description: 'Undo the last decision', run: decisions.undo },
    {
      key: 'c',
      description: 'Write a comment',
      run: () => document.querySelector<HTMLTextAreaElement>('.detail textarea')?.focus(),
    },
  ];
  return (
    <Page title="Approvals">
      <Filters filters={filters} />
      <div class="row">
        <p role="status" class="quiet">
          {queue.totalCount !== null && countText(queue.totalCount)}
        </p>
        <Shortcuts shortcuts={shortcuts} />
      </div>
      <div class={`queue ${selectedParameter ? 'opened' : ''}`}>
        <div class="items">
          <ListStates list={list} emptyText={isQueue ? 'Nothing is waiting for your approval.' : 'No items match the filters.'}>
            <ItemList items={items} selectedId={selectedId} search={search} onSelect={() => setHasFocus(true)} />
          </ListStates>
        </div>
        {selectedId && (
          <section ref={detail} class="detail stack" aria-label="Selected item">
            <p class="back">
              <a href={hrefOf(['approvals'], { ...Object.fromEntries(search), item: null })}>Back to the list</a>
            </p>
            <ItemDetail
              key={selectedId}
              nodeId={selectedId}
              listedItem={selected}
              decisions={{ ...decisions, approve }}
              changeCount={changeCounts[selectedId] ?? 0}
              hasFocus={hasFocus && !declined}
              shownItem={shownItem}
              onDecline={openDecline}
            />
          </section>
        )}
      </div>
      {declined && <DeclineDialog item={declined} decisions={decisions} onClose={() => setDeclined(null)} />}
    </Page>
  );
}

const countText = (count: number): string => (count === 1 ? '1 item' : `${formatNumber(count)} items`);

interface ItemListProps {
  readonly items: readonly ApprovalItem[];
  readonly selectedId: string | null;
  readonly search: URLSearchParams;
  onSelect(): void;
}

function ItemList({ items, selectedId, search, onSelect }: ItemListProps) {
  const current = useRef<HTMLAnchorElement>(null);
  const isLoaded = items.some(({ approval }) => approval.id === selectedId);
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest' }), [selectedId, isLoaded, search.has('item')]);
  return (
    <ul>
      {items.map((item) => {
        const { id, required, given } = item.approval;
        const isSelected = id === selectedId;
        return (
          <li key={id}>
            <a
              ref={isSelected ? current : undefined}
              href={hrefOf(['approvals'], { ...Object.fromEntries(search), item: id })}
              aria-current={isSelected ? 'true' : undefined}
              onClick={onSelect}
            >
              <span>{titleOf(item)}</span>
              <span class="quiet small">
                {subtitleOf(item)}, {given}/{required}, <DateTime at={submittedAt(item)} />
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

interface DeclineDialogProps {
  readonly item: ApprovalItem;
  readonly decisions: Decisions;
  onClose(): void;
}

/** Dialog that asks for a reason and then declines the item. */
function DeclineDialog({ item, decisions, onClose }: DeclineDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog
      title={`Decline: ${titleOf(item)}`}
      confirmLabel="Decline"
      isRunning={decisions.isRunning}
      failure={decisions.declineFailure}
      onConfirm={() => decisions.decline(item, reason)}
      onClose={onClose}
    >
      <Field
        label="Reason"
        name="reason"
        type="textarea"
        hint="The owner gets a notification with this reason."
        value={reason}
        onChange={setReason}
        failure={decisions.declineFailure}
        maxLength={10_000}
        autoFocus
        required
      />
    </ConfirmDialog>
  );
}
