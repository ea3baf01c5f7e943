import { useEffect, useRef, useState } from 'preact/hooks';
import { hasRole, type Query, useQuery, useReloadOnChange, useSession } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { FailureMessage, Loading } from '../elements/messages.tsx';
import { RecordHistory } from '../history/record-history.tsx';
import { hrefOf } from '../router.ts';
import type { Decisions } from './decisions.ts';
import { type ApprovalItem, ItemDetails, type ItemHistory } from './documents.ts';
import { History } from './history.tsx';
import { Preview } from './preview.tsx';
import { canBeDeclined, kindOf, kindTitles, nameOf, ownerOf, progressOf, titleOf } from './texts.ts';

interface ItemDetailProps {
  /** Node ID of the item. */
  readonly nodeId: string;
  /** The item, if the list contains it. */
  readonly listedItem: ApprovalItem | undefined;
  readonly decisions: Decisions;
  /** Number of changes to the item so far. Its history is read again after each change. */
  readonly changeCount: number;
  /** Whether to focus the heading. True if the user has selected the item and no dialog is open. */
  readonly hasFocus: boolean;
  /** Receives the displayed item. Null while the item is loading. */
  readonly shownItem: { current: ApprovalItem | null };
  onDecline(item: ApprovalItem): void;
}

const stateTitles = { PENDING: 'Pending', APPROVED: 'Approved', DECLINED: 'Declined' } as const;

/** Selected item: its preview, the possible decisions, and its history. */
export function ItemDetail({ nodeId, listedItem, decisions, changeCount, hasFocus, shownItem, onDecline }: ItemDetailProps) {
  const { viewer } = useSession();
  const details = useQuery(ItemDetails, { nodeId });
  useEffect(() => {
    if (changeCount > 0) details.reload();
  }, [changeCount]);
  useReloadOnChange('ApprovalComment', details.data?.liveCursor, details.reload);
  const [isAuditOpen, setAuditOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const node = details.data?.node;
  const loadedItem = node && 'approval' in node ? node : null;
  const item: ApprovalItem | null = listedItem ?? loadedItem;
  shownItem.current = item;
  useEffect(() => {
    const hasFocusInside = heading.current?.parentElement?.contains(document.activeElement);
    if (hasFocus && !hasFocusInside) heading.current?.focus();
  }, [nodeId, hasFocus, item === null]);
  if (!item) return details.isLoading ? <Loading /> : <Missing details={details} />;
  const { state, declineReason } = item.approval;
  const owner = ownerOf(item);
  return (
    <>
      <h2 ref={heading} tabIndex={-1} data-takes-focus>
        {titleOf(item)}
      </h2>
      <p class="row">
        <span class="tag">{kindTitles[kindOf(item)]}</span>
        <span class={`tag ${state.toLowerCase()}`}>{stateTitles[state]}</span>
        <span class="quiet small">{progressOf(item)}</span>
      </p>
      <p>
        Owner: {owner && hasRole(viewer, 'ADMIN') ? <a href={hrefOf(['users', owner.id])}>{nameOf(owner)}</a> : nameOf(owner)}
      </p>
      {state === 'DECLINED' && <p class="alarm written">Reason: {declineReason}</p>}
      <Actions item={item} history={loadedItem?.approval ?? null} decisions={decisions} onDecline={() => onDecline(item)} />
      <Preview item={item} />
      <h3>History</h3>
      <FailureMessage failure={details.failure} onRetry={details.reload} />
      {loadedItem ? (
        <History item={item} history={loadedItem.approval} onComment={details.reload} />
      ) : (
        details.isLoading && <Loading />
      )}
      {hasRole(viewer, 'ADMIN') && (
        <details onToggle={({ currentTarget }) => setAuditOpen(currentTarget.open)}>
          <summary>Audit trail</summary>
          {isAuditOpen && <RecordHistory key={`${state} ${item.approval.given}`} type={item.__typename} id={item.id} />}
        </details>
      )}
    </>
  );
}

const Missing = ({ details }: { details: Pick<Query<unknown>, 'failure' | 'reload'> }) =>
  details.failure ? (
    <FailureMessage failure={details.failure} onRetry={details.reload} />
  ) : (
    <p class="card empty">This item was deleted.</p>
  );

interface ActionsProps {
  readonly item: ApprovalItem;
  /** History of the item. Null while the history is loading. */
  readonly history: ItemHistory | null;
  readonly decisions: Decisions;
  onDecline(): void;
}

/** Buttons for the decisions that the viewer may make about an item. */
function Actions({ item, history, decisions, onDecline }: ActionsProps) {
  const { viewer } = useSession();
  const [isConfirming, setConfirming] = useState(false);
  const { state } = item.approval;
  const isOwn = ({ approvedBy, canceledAt }: { approvedBy: { id: string } | null; canceledAt: string | null }) =>
    approvedBy?.id === viewer.id && canceledAt === null;
  const hasApproved = history?.approvals?.nodes.some(isOwn) ?? false;
  const canTakeBackAll = !hasApproved && state === 'APPROVED' && hasRole(viewer, 'ADMIN');
  return (
    <>
      <p class="row">
        {item.viewerCan.approve && (
          // The second click of a double click would approve the next item.
          <button type="button" onClick={({ detail }) => detail < 2 && decisions.approve(item)}>
            Approve
          </button>
        )}
        {state === 'PENDING' && canBeDeclined(kindOf(item)) && (
          <button type="button" class="danger" onClick={onDecline}>
            Decline…
          </button>
        )}
        {hasApproved && state !== 'DECLINED' && (
          <ActionButton class="plain" isRunning={decisions.isRunning} onClick={() => void decisions.takeBack(item, 'own')}>
            Take back my approval
          </ActionButton>
        )}
        {canTakeBackAll && (
          <button type="button" class="danger" onClick={() => setConfirming(true)}>
            Take back all approvals…
          </button>
        )}
        {state === 'DECLINED' && decisions.canResubmit && (
          <ActionButton class="plain" isRunning={decisions.isRunning} onClick={() => void decisions.resubmit(item)}>
            Return to the queue
          </ActionButton>
        )}
      </p>
      {state === 'PENDING' && !item.viewerCan.approve && (
        <p class="quiet small">
          {hasApproved
            ? 'You have approved this item. It still needs approval from somebody else.'
            : 'You cannot approve your own items.'}
        </p>
      )}
      {isConfirming && (
        <ConfirmDialog
          title="Take back all approvals?"
          confirmLabel="Take back all approvals"
          isRunning={decisions.isRunning}
          failure={null}
          onConfirm={async () => {
            await decisions.takeBack(item, 'all');
            setConfirming(false);
          }}
          onClose={() => setConfirming(false)}
        >
          <p>The public no longer sees {titleOf(item)} until it is approved again.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
