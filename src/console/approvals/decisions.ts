import { useRef, useState } from 'preact/hooks';
import { type Failure, hasRole, useMutation, useSession } from '../data/index.ts';
import { useNotify } from '../elements/notices.tsx';
import { type ApprovalItem, Approve, Decline, Resubmit, TakeBack } from './documents.ts';
import { kindOf, titleOf } from './texts.ts';

export interface Decisions {
  approve(item: ApprovalItem): Promise<void>;
  /** Declines an item. Returns whether this succeeded. */
  decline(item: ApprovalItem, reason: string): Promise<boolean>;
  /** Takes back approvals of an item: that of the viewer, or those of all callers. */
  takeBack(item: ApprovalItem, scope: 'own' | 'all'): Promise<void>;
  /** Returns a declined item to the queue. */
  resubmit(item: ApprovalItem): Promise<void>;
  /** Undoes the latest decision of the viewer that was not undone yet. */
  undo(): void;
  /** Whether the viewer may return declined items to the queue. */
  readonly canResubmit: boolean;
  readonly isRunning: boolean;
  readonly declineFailure: Failure | null;
  resetDecline(): void;
}

interface DecisionEvents {
  /** An item was decided, before the service has responded. */
  onDecide(item: ApprovalItem): void;
  /** A decision failed or was undone. */
  onUndo(item: ApprovalItem): void;
}

const argumentsOf = (item: ApprovalItem) => ({ id: item.id, type: kindOf(item) });

/** Decisions about items, which report their result and offer to undo it. */
export function useDecisions({ onDecide, onUndo }: DecisionEvents): Decisions {
  const { viewer } = useSession();
  const notify = useNotify();
  const [approval, takingBack, declining, resubmission] = [
    useMutation(Approve),
    useMutation(TakeBack),
    useMutation(Decline),
    useMutation(Resubmit),
  ];
  const canResubmit = hasRole(viewer, 'ADMIN');
  // Functions that undo the decisions of this visit, the latest one last.
  const undoable = useRef<(() => Promise<void>)[]>([]);
  const [running, setRunning] = useState(0);

  const undo = () => {
    const latest = undoable.current.pop();
    if (latest) void latest();
    else notify({ text: 'There is nothing to undo.' });
  };
  const offerUndo = (text: string, revert: () => Promise<void>) => {
    undoable.current.push(revert);
    notify({ text, action: { label: 'Undo', run: undo } });
  };
  const counted = async <Result>(work: Promise<Result>): Promise<Result> => {
    setRunning((count) => count + 1);
    return work.finally(() => setRunning((count) => count - 1));
  };

  const takeBack = async (item: ApprovalItem, scope: 'own' | 'all') => {
    const { failure } = await counted(takingBack.run({ ...argumentsOf(item), keepsOthers: scope === 'own' }));
    if (failure) return notify({ text: `The approval was not taken back. ${failure.message}` });
    notify({ text: `Approval taken back: ${titleOf(item)}.` });
    onUndo(item);
  };
  const resubmit = async (item: ApprovalItem) => {
    const { failure } = await counted(resubmission.run(argumentsOf(item)));
    if (failure) return notify({ text: `The item was not returned to the queue. ${failure.message}` });
    notify({ text: `Returned to the queue: ${titleOf(item)}.` });
    onUndo(item);
  };
  return {
    canResubmit,
    isRunning: running > 0,
    declineFailure: declining.failure,
    resetDecline: declining.reset,
    undo,
    takeBack,
    resubmit,
    async approve(item) {
      onDecide(item);
      const { data, failure } = await counted(approval.run({ ...argumentsOf(item), viewerId: viewer.id }));
      if (failure) {
        onUndo(item);
        return notify({ text: `Not approved: ${titleOf(item)}. ${failure.message}` });
      }
      const { state, required = 0, given = 0, approvals } = data.approveItem ?? {};
      if (approvals?.totalCount === 0) return notify({ text: `Somebody else has already approved: ${titleOf(item)}.` });
      const rest = state === 'APPROVED' ? '' : ` It needs ${required - given} more.`;
      offerUndo(`Approved: ${titleOf(item)}.${rest}`, () => takeBack(item, 'own'));
    },
    async decline(item, reason) {
      const { failure } = await counted(declining.run({ ...argumentsOf(item), reason }));
      if (failure) return false;
      onDecide(item);
      if (canResubmit) offerUndo(`Declined: ${titleOf(item)}.`, () => resubmit(item));
      else notify({ text: `Declined: ${titleOf(item)}.` });
      return true;
    },
  };
}
