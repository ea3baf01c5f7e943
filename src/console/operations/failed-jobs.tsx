import { graphql, type ResultOf } from 'courtside-sdk';
import { useState } from 'preact/hooks';
import { useList, useMutation, useRefresh } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { DateTime, formatNumber } from '../elements/formats.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { Table } from '../elements/table.tsx';
import { RetryAllDialog } from './retry-all-dialog.tsx';
import { retryFailureOf } from './retry-failure.ts';

const Jobs = graphql(`query ConsoleFailedJobs($after: String) {
  failedJobs(first: 50, after: $after) {
    totalCount nodes { id queue attempts reason failedAt } pageInfo { hasNextPage endCursor }
  }
}`);
const Retry = graphql('mutation ConsoleRetryJob($id: ID!) { retryFailedJob(id: $id) { id } }');
const RetryAll = graphql('mutation ConsoleRetryJobs { retryFailedJobs { count } }');

type Job = NonNullable<ResultOf<typeof Jobs>['failedJobs']>['nodes'][number];

/** Interval at which the jobs are read again, in seconds. */
const interval = 5;

/** Background jobs whose last attempt failed, with buttons to retry them. */
export function FailedJobs() {
  const list = useList(Jobs, {}, ({ failedJobs }) => failedJobs);
  useRefresh(list.reload, interval);
  const [retry, retryAll] = [useMutation(Retry), useMutation(RetryAll)];
  const [isRetryingAll, setRetryingAll] = useState(false);
  const notify = useNotify();
  const retryJob = async ({ id, queue }: Job) => {
    const { failure } = await retry.run({ id });
    list.reload();
    if (!failure) notify({ text: `${queue}: queued again.` });
  };
  const count = list.data?.failedJobs?.totalCount;
  return (
    <>
      <p class="quiet">
        Daily jobs whose last attempt failed. A job leaves the list when a later job of the same queue has succeeded.
      </p>
      <p class="row">
        <ActionButton class="plain" isRunning={retryAll.isRunning} disabled={!count} onClick={() => setRetryingAll(true)}>
          Retry all…
        </ActionButton>
        <span role="status" class="quiet small">
          {count !== undefined && `${formatNumber(count)} ${count === 1 ? 'job' : 'jobs'}`}
        </span>
      </p>
      <FailureMessage failure={retryFailureOf(retry.failure, 'job')} />
      <Table
        caption="Failed jobs, newest first"
        columns={[
          { title: 'Queue', cell: ({ queue }) => queue },
          { title: 'Attempts', isNumber: true, cell: ({ attempts }) => formatNumber(attempts) },
          { title: 'Reason', cell: ({ reason }) => reason },
          { title: 'Last failure', cell: ({ failedAt }) => <DateTime at={failedAt} /> },
          {
            title: 'Action',
            cell: (job) => (
              <ActionButton
                class="plain"
                isRunning={retry.isRunning}
                aria-label={`Retry ${job.queue}`}
                onClick={() => void retryJob(job)}
              >
                Retry
              </ActionButton>
            ),
          },
        ]}
        list={list}
        keyOf={({ id }) => id}
        emptyText="No job has failed."
      />
      {isRetryingAll && (
        <RetryAllDialog
          title="Retry all jobs?"
          mutation={retryAll}
          countOf={({ retryFailedJobs }) => retryFailedJobs?.count ?? 0}
          onRetry={() => {
            retry.reset();
            list.reload();
          }}
          onClose={() => setRetryingAll(false)}
        >
          <p>All failed jobs are queued again.</p>
        </RetryAllDialog>
      )}
    </>
  );
}
