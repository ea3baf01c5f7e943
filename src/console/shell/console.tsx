import { useEffect, useMemo, useState } from 'preact/hooks';
import { useQueryOnRequest } from '../data/changes.ts';
import { useIsConnectionLost } from '../data/connection.ts';
import { useRefresh } from '../data/refresh.ts';
import { type Session, SessionContext, useSession, ViewerQuery } from '../data/session.ts';
import { NotFound } from '../elements/not-found.tsx';
import { NoticeProvider } from '../elements/notices.tsx';
import { Page } from '../elements/page.tsx';
import { hrefOf, mayLeave, useConsoleLocation } from '../router.ts';
import { type Task, tasks } from '../tasks.ts';
import { Bar } from './bar.tsx';
import { TaskLoader } from './task-loader.tsx';

/** Interval at which the roles of the viewer are read again, in seconds. */
const rolesInterval = 60;

/** Returns the session with the current viewer, because other users can grant and revoke roles during the session. */
function useCurrentSession(): Session {
  const session = useSession();
  const [viewer, setViewer] = useState(session.viewer);
  useEffect(() => setViewer(session.viewer), [session]);
  const query = useQueryOnRequest(ViewerQuery);
  useRefresh(() => void query.run({}).then(({ data }) => data?.viewer && setViewer(data.viewer)), rolesInterval);
  return useMemo(() => ({ ...session, viewer }), [session, viewer]);
}

/** The console of a signed-in user: navigation, the current task, and messages about the connection. */
export function Console() {
  const session = useCurrentSession();
  const { viewer, signOut } = session;
  const { segments } = useConsoleLocation();
  const permitted = tasks.filter((task) => task.isPermitted(viewer));
  // Loads all tasks in advance, so that they open immediately, even without a connection.
  useEffect(() => {
    for (const { load } of permitted) void load().catch(() => undefined);
  }, [viewer]);
  const name = [viewer.firstName, viewer.lastName].filter(Boolean).join(' ') || viewer.email;
  return (
    <SessionContext.Provider value={session}>
      <NoticeProvider>
        <Bar>
          <p class="account">
            <span class="quiet">{name}</span>
            <button type="button" class="plain" onClick={() => mayLeave() && signOut()}>
              Sign out
            </button>
          </p>
        </Bar>
        <ConnectionBanner />
        <div class={permitted.length > 0 ? 'console' : ''}>
          {permitted.length > 0 && <Navigation tasks={permitted} current={segments[0]} />}
          <main id="content" tabIndex={-1}>
            <Content tasks={permitted} path={segments[0]} />
          </main>
        </div>
      </NoticeProvider>
    </SessionContext.Provider>
  );
}

function ConnectionBanner() {
  const isLost = useIsConnectionLost(useSession().connection);
  return (
    <div role="status" class="connection">
      {isLost && (
        <p>
          The connection to the service is lost. The console tries to reconnect. It then completes running actions and shows
          current data.
        </p>
      )}
    </div>
  );
}

const Navigation = ({ tasks, current }: { tasks: readonly Task[]; current: string | undefined }) => (
  <nav class="tasks" aria-label="Tasks">
    <ul>
      {tasks.map(({ path, title }) => (
        <li key={path}>
          <a href={hrefOf([path])} aria-current={path === current ? 'page' : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

function Content({ tasks, path }: { tasks: readonly Task[]; path: string | undefined }) {
  const task = tasks.find((task) => task.path === path);
  if (task) return <TaskLoader key={path} task={task} />;
  if (tasks.length === 0)
    return (
      <Page title="No tasks">
        <p>Your account has no role that permits a task in this console. Ask a super admin to grant you one.</p>
        <p>
          <a href="/">Go to the start page</a>
        </p>
      </Page>
    );
  if (path !== undefined) return <NotFound back={[]} backLabel="Go to the overview" />;
  return (
    <Page title="Overview">
      <ul class="cards">
        {tasks.map(({ path, title, summary }) => (
          <li key={path} class="card link">
            <h2>
              <a href={hrefOf([path])}>{title}</a>
            </h2>
            <p class="quiet">{summary}</p>
          </li>
        ))}
      </ul>
    </Page>
  );
}
