import { useRef, useState } from 'preact/hooks';
import { type Failure, hasRole, useMutation, useSession } from '../data/index.ts';
import { useNotify } from '../elements/notices.tsx';
import { type ApprovalItem, ApproveItem, CancelApprovals, DeclineItem, ResubmitItem } from './documents.ts';
import { kindOf, titleOf } from './texts.ts';

export interface Decisions {
  approve(item: ApprovalItem): void;
  decline(item: ApprovalItem, reason: string): Promise<void>;
  /** Cancels the viewer's own approval of an item, or all approvals of the item. */
  takeBack(item: ApprovalItem, scope: 'own' | 'all'): Promise<void>;
  /** Returns a declined item to the queue. */
  resubmit(item: ApprovalItem): Promise<void>;
  /** Undoes the viewer's latest decision that has not been undone yet. */
  undo(): void;
  /** Whether the viewer may return declined items to the queue. */
  readonly canResubmit: boolean;
  readonly isRunning: boolean;
  readonly declineFailure: Failure | null;
  resetDecline(): void;
}

interface DecisionEvents {
  /** Called as soon as the viewer approves an item, before the service responds. For a decline, called only after it has succeeded. */
  onDecide(item: ApprovalItem): void;
  /** Called when the service has responded to a decision. Also called if the request failed. */
  onResponse(item: ApprovalItem): void;
  /** Called after a decision failed or was undone. */
  onUndo(item: ApprovalItem): void;
}

/** Undoes a decision and shows the result. Returns false if the service did not respond. */
type Undo = () => Promise<boolean>;

const argumentsOf = (item: ApprovalItem) => ({ id: item.id, type: kindOf(item) });

/** Returns functions that approve, decline and return items. After a decision, a notice shows the result and an undo button. */
export function useDecisions({ onDecide, onResponse, onUndo }: DecisionEvents): Decisions {
  const { viewer } = useSession();
  const notify = useNotify();
  const [approval, takingBack, declining, resubmission] = [
    useMutation(ApproveItem),
    useMutation(CancelApprovals),
    useMutation(DeclineItem),
    useMutation(ResubmitItem),
  ];
  const canResubmit = hasRole(viewer, 'ADMIN');
  // Functions that undo the decisions made since the task was opened, latest last. An element resolves to null if its decision failed or
  // had no effect.
  const undoable = useRef<Promise<Undo | null>[]>([]);
  const [running, setRunning] = useState(0);

  const undo = async () => {
    const latest = undoable.current.pop();
    if (!latest) return notify({ text: 'There is nothing to undo.' });
    const revert = await latest;
    // If the service did not respond, for example after a lost connection, the decision stays in the list, so that the user can try again.
    if (revert && !(await revert())) undoable.current.push(latest);
  };
  const undoAction = { label: 'Undo', run: undo };
  const offerUndo = (text: string, revert: Undo): Undo => {
    notify({ text, action: undoAction });
    return revert;
  };
  const showFailure = (text: string, { message, code }: Failure, isUndo: boolean): boolean => {
    const hasResponse = code !== null;
    notify({ text: `${text} ${message}`, ...(isUndo && !hasResponse && { action: undoAction }) });
    return hasResponse;
  };
  const counted = async <Result>(work: Promise<Result>): Promise<Result> => {
    setRunning((count) => count + 1);
    return work.finally(() => setRunning((count) => count - 1));
  };

  const takeBack = async (item: ApprovalItem, scope: 'own' | 'all', isUndo = false) => {
    const { failure } = await counted(takingBack.run({ ...argumentsOf(item), keepsOthers: scope === 'own' }));
    if (failure) return showFailure('The approval was not taken back.', failure, isUndo);
    notify({ text: `Approval taken back: ${titleOf(item)}.` });
    onUndo(item);
    return true;
  };
  const resubmit = async (item: ApprovalItem, isUndo = false) => {
    const { failure } = await counted(resubmission.run(argumentsOf(item)));
    if (failure) return showFailure('The item was not returned to the queue.', failure, isUndo);
    notify({ text: `Returned to the queue: ${titleOf(item)}.` });
    onUndo(item);
    return true;
  };
  const approve = async (item: ApprovalItem): Promise<Undo | null> => {
    const { data, failure } = await counted(approval.run({ ...argumentsOf(item), viewerId: viewer.id }));
    onResponse(item);
    if (failure) {
      onUndo(item);
      notify({ text: `Not approved: ${titleOf(item)}. ${failure.message}` });
      return null;
    }
    const { state, required = 0, given = 0, approvals } = data.approveItem ?? {};
    if (approvals?.totalCount === 0) {
      notify({ text: `Somebody else has already approved: ${titleOf(item)}.` });
      return null;
    }
    const rest = state === 'APPROVED' ? '' : ` It needs ${required - given} more.`;
    return offerUndo(`Approved: ${titleOf(item)}.${rest}`, () => takeBack(item, 'own', true));
  };
  return {
    canResubmit,
    isRunning: running > 0,
    declineFailure: declining.failure,
    resetDecline: declining.reset,
    undo: () => void undo(),
    takeBack: async (item, scope) => void (await takeBack(item, scope)),
    resubmit: async (item) => void (await resubmit(item)),
    approve(item) {
      onDecide(item);
      const decision = approve(item);
      // Added before the service responds, so that the user can undo the decision immediately.
      undoable.current.push(decision);
      void decision.then((revert) => {
        if (!revert) undoable.current = undoable.current.filter((other) => other !== decision);
      });
    },
    async decline(item, reason) {
      const { failure } = await counted(declining.run({ ...argumentsOf(item), reason }));
      if (failure) return;
      onDecide(item);
      onResponse(item);
      const text = `Declined: ${titleOf(item)}.`;
      if (!canResubmit) notify({ text });
      const cannotUndo = async () => {
        notify({ text: `Only admins can return a declined item to the queue: ${titleOf(item)}.` });
        return true;
      };
      undoable.current.push(Promise.resolve(canResubmit ? offerUndo(text, () => resubmit(item, true)) : cannotUndo));
    },
  };
}
