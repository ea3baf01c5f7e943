import { type ComponentChildren, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { ActionButton } from './action-button.tsx';

/** Result of an action, such as "Approved". */
interface Notice {
  readonly text: string;
  /** Action that the notice offers, such as Undo. While the action runs, its button stays visible but cannot be used. */
  readonly action?: { readonly label: string; run(): void | Promise<void> };
}

const NoticeContext = createContext<(notice: Notice) => void>(() => undefined);

/** Returns a function that shows the result of an action and announces it to screen readers. Each result replaces the previous one. */
export const useNotify = (): ((notice: Notice) => void) => useContext(NoticeContext);

/**
 * Shows the notices of its child components. Notices stay until they are dismissed or replaced, so that users have enough time to read
 * them.
 */
export function NoticeProvider({ children }: { children: ComponentChildren }) {
  const [notice, setNotice] = useState<Notice | null>(null);
  const [running, setRunning] = useState<Notice | null>(null);
  const runAction = async (source: Notice) => {
    setRunning(source);
    await source.action?.run();
    setRunning((current) => (current === source ? null : current));
  };
  // Moves the focus to the page, because the buttons of the notice disappear.
  const leave = (run: () => void) => () => {
    document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
    run();
  };
  return (
    <NoticeContext.Provider value={setNotice}>
      {children}
      <div class="notices">
        {/* The live region exists before its content. Otherwise, screen readers would not announce the first notice. */}
        <p role="status">{notice?.text}</p>
        {notice && (
          <>
            {notice.action && (
              <ActionButton class="plain" isRunning={running === notice} onClick={leave(() => void runAction(notice))}>
                {notice.action.label}
              </ActionButton>
            )}
            <button type="button" class="plain" onClick={leave(() => setNotice(null))}>
              Dismiss
            </button>
          </>
        )}
      </div>
    </NoticeContext.Provider>
  );
}
