import { graphql, type ResultOf } from 'courtside-sdk';
import { useState } from 'preact/hooks';
import { useList, useMutation, useRefresh, useSession } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { DateTime } from '../elements/formats.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { nameOf, type User } from './user.ts';

const SessionsQuery = graphql(`query ConsoleSessions($id: ID!, $after: String) {
  user(id: $id) {
    id
    sessions(first: 20, after: $after, orderBy: [{ field: CREATED_AT, direction: DESC }]) {
      nodes { id createdAt expiresAt device isCurrent platform { id title } } pageInfo { hasNextPage endCursor }
    }
  }
}`);
const End = graphql('mutation ConsoleEndSession($id: ID!) { endSession(id: $id) { id revokedAt } }');
const EndAll = graphql('mutation ConsoleEndAllSessions($userId: ID!) { endAllSessions(userId: $userId) { id } }');

type UserSession = NonNullable<NonNullable<ResultOf<typeof SessionsQuery>['user']>['sessions']>['nodes'][number];

/** Active sessions of a user, with buttons to end one or all of them. */
export function Sessions({ user }: { user: User }) {
  const { viewer } = useSession();
  const list = useList(SessionsQuery, { id: user.id }, (data) => data.user?.sessions);
  useRefresh(list.reload, 10);
  const end = useMutation(End);
  const [isEndingAll, setEndingAll] = useState(false);
  const notify = useNotify();
  const canEnd = user.id === viewer.id || user.viewerCan.administer;
  const endSession = async (id: string) => {
    const { failure } = await end.run({ id });
    if (failure) return;
    list.reload();
    notify({ text: 'The session has ended.' });
  };
  const columns: Column<UserSession>[] = [
    {
      title: 'Started',
      cell: ({ createdAt, isCurrent }) => (
        <>
          <DateTime at={createdAt} /> {isCurrent && <span class="tag">This session</span>}
        </>
      ),
    },
    { title: 'Platform', cell: ({ platform }) => platform?.title ?? '–' },
    { title: 'Device', cell: ({ device }) => device ?? '–' },
    { title: 'Expires', cell: ({ expiresAt }) => <DateTime at={expiresAt} /> },
  ];
  if (canEnd)
    columns.push({
      title: 'Actions',
      cell: ({ id, device }) => (
        <ActionButton
          class="link"
          isRunning={end.isRunning}
          aria-label={`End session ${device ?? id}`}
          onClick={() => void endSession(id)}
        >
          End
        </ActionButton>
      ),
    });
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <FailureMessage failure={end.failure} />
      <Table
        caption="Active sessions"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        emptyText="The user is not signed in anywhere."
      />
      {canEnd && list.items.length > 0 && (
        <p>
          <button type="button" class="danger" onClick={() => setEndingAll(true)}>
            Sign out everywhere…
          </button>
        </p>
      )}
      {isEndingAll && <EndAllDialog user={user} onEnd={list.reload} onClose={() => setEndingAll(false)} />}
    </section>
  );
}

function EndAllDialog({ user, onEnd, onClose }: { user: User; onEnd(): void; onClose(): void }) {
  const endAll = useMutation(EndAll);
  const notify = useNotify();
  const confirm = async () => {
    const { failure } = await endAll.run({ userId: user.id });
    if (failure) return;
    onClose();
    onEnd();
    notify({ text: `${nameOf(user)} was signed out everywhere.` });
  };
  return (
    <ConfirmDialog
      title={`Sign ${nameOf(user)} out everywhere?`}
      confirmLabel="Sign out everywhere"
      isRunning={endAll.isRunning}
      failure={endAll.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>All sessions end immediately, on all platforms and devices. The user can sign in again.</p>
    </ConfirmDialog>
  );
}
