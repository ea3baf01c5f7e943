import { type ComponentChildren, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';

/** Result of an action, such as "Approved". */
interface Notice {
  readonly text: string;
  /** Action that the notice offers, such as Undo. */
  readonly action?: { readonly label: string; run(): void };
}

const NoticeContext = createContext<(notice: Notice) => void>(() => undefined);

/** Returns a function that shows the result of an action and announces it to screen readers. It replaces the previous result. */
export const useNotify = (): ((notice: Notice) => void) => useContext(NoticeContext);

/**
 * Shows the notices of its child components. Notices stay until they are dismissed or replaced, so that users have enough time to read
 * them.
 */
export function NoticeProvider({ children }: { children: ComponentChildren }) {
  const [notice, setNotice] = useState<Notice | null>(null);
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
              <button type="button" class="plain" onClick={leave(notice.action.run)}>
                {notice.action.label}
              </button>
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
