import { graphql, type ResultOf } from 'courtside-sdk';
import { useState } from 'preact/hooks';
import { useList, useMutation, useRefresh } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { Field } from '../elements/field.tsx';
import { DateTime, formatNumber } from '../elements/formats.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { Table } from '../elements/table.tsx';
import { changeSearch, useConsoleLocation } from '../router.ts';
import { RetryAllDialog } from './retry-all-dialog.tsx';
import { retryFailureOf } from './retry-failure.ts';

const Messages = graphql(`query ConsoleFailedMessages($kind: FailedMessageKind, $state: FailedMessageState, $after: String) {
  failedMessages(first: 50, after: $after, kind: $kind, state: $state) {
    totalCount
    nodes { id kind state recipient subject attempts reason failedAt nextAttemptAt }
    pageInfo { hasNextPage endCursor }
  }
}`);
const Retry = graphql('mutation ConsoleRetryMessage($id: ID!) { retryFailedMessage(id: $id) { id } }');
const RetryAll = graphql('mutation ConsoleRetryMessages { retryFailedMessages { count } }');

type Message = NonNullable<ResultOf<typeof Messages>['failedMessages']>['nodes'][number];

/** Interval at which the messages are read again, in seconds. */
const interval = 5;

const kinds: Readonly<Record<Message['kind'], string>> = { EMAIL: 'Email', TEXT: 'Text message' };
const states: Readonly<Record<Message['state'], string>> = { DEAD: 'Not sent', RETRYING: 'Will be retried' };

const isKeyOf = <Key extends string>(texts: Readonly<Record<Key, string>>, key: string): key is Key => key in texts;

const titleOf = ({ kind, recipient, subject }: Message): string => `${subject ?? kinds[kind]} to ${recipient}`;

/** Emails and text messages that were not sent, with buttons to retry them. */
export function FailedMessages() {
  const { search } = useConsoleLocation();
  const [kind, state] = [search.get('kind') ?? '', search.get('state') ?? ''];
  const list = useList(
    Messages,
    { kind: isKeyOf(kinds, kind) ? kind : null, state: isKeyOf(states, state) ? state : null },
    ({ failedMessages }) => failedMessages,
  );
  useRefresh(list.reload, interval);
  const [retry, retryAll] = [useMutation(Retry), useMutation(RetryAll)];
  const [isRetryingAll, setRetryingAll] = useState(false);
  const notify = useNotify();
  const retryMessage = async (message: Message) => {
    const { failure } = await retry.run({ id: message.id });
    list.reload();
    if (!failure) notify({ text: `${titleOf(message)}: queued again.` });
  };
  const count = list.data?.failedMessages?.totalCount;
  return (
    <>
      <p class="quiet">
        Messages are retried for about a day. If the receiver rejects a message or its last attempt fails, the message is sent
        only if you retry it.
      </p>
      <div class="row filters">
        <Field
          label="Kind"
          name="kind"
          type="select"
          value={kind}
          options={[['', 'Any kind'], ...Object.entries(kinds)]}
          onChange={(value) => changeSearch({ kind: value || null })}
        />
        <Field
          label="State"
          name="state"
          type="select"
          value={state}
          options={[['', 'Any state'], ...Object.entries(states)]}
          onChange={(value) => changeSearch({ state: value || null })}
        />
      </div>
      <p class="row">
        <ActionButton class="plain" isRunning={retryAll.isRunning} disabled={!count} onClick={() => setRetryingAll(true)}>
          Retry all…
        </ActionButton>
        <span role="status" class="quiet small">
          {count !== undefined && `${formatNumber(count)} ${count === 1 ? 'message' : 'messages'}`}
        </span>
      </p>
      <FailureMessage failure={retryFailureOf(retry.failure, 'message')} />
      <Table
        caption="Failed messages, newest first"
        columns={[
          { title: 'Message', cell: ({ kind, subject }) => subject ?? kinds[kind] },
          { title: 'Recipient', cell: ({ recipient }) => recipient },
          { title: 'State', cell: ({ state }) => states[state] },
          { title: 'Attempts', isNumber: true, cell: ({ attempts }) => formatNumber(attempts) },
          { title: 'Reason', cell: ({ reason }) => reason },
          { title: 'Last failure', cell: ({ failedAt }) => <DateTime at={failedAt} /> },
          { title: 'Next attempt', cell: ({ nextAttemptAt }) => <DateTime at={nextAttemptAt} /> },
          {
            title: 'Action',
            cell: (message) =>
              message.state === 'DEAD' && (
                <ActionButton
                  class="plain"
                  isRunning={retry.isRunning}
                  aria-label={`Retry ${titleOf(message)}`}
                  onClick={() => void retryMessage(message)}
                >
                  Retry
                </ActionButton>
              ),
          },
        ]}
        list={list}
        keyOf={({ id }) => id}
        emptyText={kind || state ? 'No message matches. Remove a filter.' : 'There are no failed messages.'}
      />
      {isRetryingAll && (
        <RetryAllDialog
          title="Retry all messages?"
          mutation={retryAll}
          countOf={({ retryFailedMessages }) => retryFailedMessages?.count ?? 0}
          onRetry={() => {
            retry.reset();
            list.reload();
          }}
          onClose={() => setRetryingAll(false)}
        >
          <p>All messages in the state “{states.DEAD}” are queued again, including those that do not match the filters.</p>
        </RetryAllDialog>
      )}
    </>
  );
}
