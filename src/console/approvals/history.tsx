import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useMutation } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { Field } from '../elements/field.tsx';
import { DateTime } from '../elements/formats.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { useLeaveQuestion } from '../router.ts';
import { AddComment, type ApprovalItem, DeleteComment, type ItemHistory } from './documents.ts';
import { nameOf, submittedAt } from './texts.ts';

interface Entry {
  readonly key: string;
  readonly at: string;
  readonly text: ComponentChildren;
}

type Approval = NonNullable<ItemHistory['approvals']>['nodes'][number];

const approverOf = ({ approvedBy, approvedByPlatform }: Approval): string =>
  approvedByPlatform ? `the platform ${approvedByPlatform.title}` : nameOf(approvedBy);

const cancelerOf = ({ canceledBy, canceledByPlatform }: Approval): string =>
  canceledByPlatform ? `the platform ${canceledByPlatform.title}` : nameOf(canceledBy);

/** Returns the history of an item, oldest entry first. */
function entriesOf(item: ApprovalItem, { approvals, comments }: ItemHistory): Entry[] {
  const { createdBy, approval } = item;
  const { declinedAt, declineReason } = approval;
  const isCommented = comments?.nodes.some(({ isDecline, content }) => isDecline && content === declineReason);
  const entries: Entry[] = [
    { key: 'created', at: submittedAt(item), text: `Submitted${createdBy ? ` by ${createdBy}` : ''}` },
    ...(approvals?.nodes ?? []).flatMap((each) => [
      { key: each.id, at: each.approvedAt, text: `Approved by ${approverOf(each)}` },
      ...(each.canceledAt
        ? [
            {
              key: `${each.id} canceled`,
              at: each.canceledAt,
              text: `Approval of ${approverOf(each)} taken back by ${cancelerOf(each)}`,
            },
          ]
        : []),
    ]),
    // Older declines have no comment.
    ...(declinedAt && !isCommented
      ? [{ key: 'declined', at: declinedAt, text: <span class="written">Declined: {declineReason}</span> }]
      : []),
    ...(comments?.nodes ?? []).map((comment) => ({
      key: comment.id,
      at: comment.createdAt,
      text: <Comment comment={comment} />,
    })),
  ];
  return entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function Comment({ comment }: { comment: NonNullable<ItemHistory['comments']>['nodes'][number] }) {
  const { id, content, isDecline, author, platform, viewerCan } = comment;
  const [isOpen, setOpen] = useState(false);
  const deletion = useMutation(DeleteComment);
  const notify = useNotify();
  const confirm = async () => {
    const { failure } = await deletion.run({ id });
    if (failure) return;
    setOpen(false);
    notify({ text: 'The comment was deleted.' });
  };
  const name = platform ? platform.title : nameOf(author);
  return (
    <>
      <span>
        {isDecline ? 'Declined' : 'Comment'} by {name}:{' '}
      </span>
      <q class="written">{content}</q>{' '}
      {viewerCan.delete && (
        <button type="button" class="link small" aria-label={`Delete the comment by ${name}`} onClick={() => setOpen(true)}>
          Delete
        </button>
      )}
      {isOpen && (
        <ConfirmDialog
          title="Delete this comment?"
          confirmLabel="Delete comment"
          isRunning={deletion.isRunning}
          failure={deletion.failure}
          onConfirm={confirm}
          onClose={() => setOpen(false)}
        >
          <p class="written">{content}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface HistoryProps {
  readonly item: ApprovalItem;
  readonly history: ItemHistory;
  /** Called after a comment was added. */
  onComment(): void;
}

/** History of an item, and a form for comments. */
export function History({ item, history, onComment }: HistoryProps) {
  const [content, setContent] = useState('');
  useLeaveQuestion(content.trim() ? 'Leave this item? Your comment is not saved.' : null);
  const addition = useMutation(AddComment);
  const notify = useNotify();
  const submit = async (event: Event) => {
    event.preventDefault();
    const { failure } = await addition.run({ itemId: item.id, content });
    if (failure) return;
    setContent('');
    notify({ text: 'The comment was added.' });
    onComment();
  };
  return (
    <>
      {history.comments?.pageInfo.hasNextPage && <p class="quiet small">Only the newest 100 comments are shown.</p>}
      <ol class="history">
        {entriesOf(item, history).map(({ key, at, text }) => (
          <li key={key}>
            <span class="quiet small">
              <DateTime at={at} />
            </span>
            <div>{text}</div>
          </li>
        ))}
      </ol>
      <form class="stack" onSubmit={submit}>
        <Field
          label="Comment"
          name="content"
          type="textarea"
          hint="Comments are visible to the owner of the item and to moderators."
          value={content}
          onChange={setContent}
          failure={addition.failure}
          required
        />
        <FailureMessage failure={addition.failure} />
        <ActionButton type="submit" class="plain" isRunning={addition.isRunning} disabled={!content.trim()}>
          Add comment
        </ActionButton>
      </form>
    </>
  );
}
