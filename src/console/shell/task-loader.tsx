import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { Loading } from '../elements/messages.tsx';
import { Page } from '../elements/page.tsx';
import type { Task } from '../tasks.ts';

/** Loads the code of a task and renders the task. If the task throws an error, the navigation keeps working. */
export function TaskLoader({ task }: { task: Task }) {
  const [Component, setComponent] = useState<ComponentType | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    task.load().then(
      (module) => setComponent(() => module.default),
      () => setFailed(true),
    );
  };
  useEffect(load, [task]);
  const [error, reset] = useErrorBoundary((thrown) => console.error(thrown));
  if (error)
    return (
      <Page title={task.title}>
        <p role="alert" class="alarm">
          This page cannot be shown because of an error in the console: {String(error)}
        </p>
        <button type="button" onClick={reset}>
          Try again
        </button>
      </Page>
    );
  if (Component) return <Component />;
  if (!hasFailed) return <Loading />;
  return (
    <Page title={task.title}>
      <p role="alert" class="alarm">
        This task could not be loaded. Either the connection is lost, or the service has a new release. If trying again does not
        help, reload the page and sign in again.
      </p>
      <button type="button" onClick={load}>
        Try again
      </button>
    </Page>
  );
}
