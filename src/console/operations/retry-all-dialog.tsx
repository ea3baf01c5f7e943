import type { ComponentChildren } from 'preact';
import type { Mutation } from '../data/index.ts';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { formatNumber } from '../elements/formats.tsx';
import { useNotify } from '../elements/notices.tsx';

interface RetryAllDialogProps<Data> {
  readonly title: string;
  readonly mutation: Mutation<Data, Record<string, never>>;
  countOf(data: Data): number;
  readonly children: ComponentChildren;
  /** Called after the jobs or messages were queued again. */
  onRetry(): void;
  onClose(): void;
}

/** Asks for confirmation and then queues all failed jobs or messages again. */
export function RetryAllDialog<Data>({ title, mutation, countOf, children, onRetry, onClose }: RetryAllDialogProps<Data>) {
  const notify = useNotify();
  const confirm = async () => {
    const { data, failure } = await mutation.run({});
    if (failure) return;
    onClose();
    onRetry();
    notify({ text: `Queued again: ${formatNumber(countOf(data))}.` });
  };
  return (
    <ConfirmDialog
      title={title}
      confirmLabel="Retry all"
      isRunning={mutation.isRunning}
      failure={mutation.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
