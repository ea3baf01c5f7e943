import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';

/** Action that a key runs. */
export interface Shortcut {
  /** Key, as in `KeyboardEvent.key`. */
  readonly key: string;
  /** What the key does, such as "Approve the item". */
  readonly description: string;
  run(): void;
}

/** Whether the user is typing text, or a dialog is open. */
const isBusy = (): boolean =>
  document.querySelector('dialog[open]') !== null ||
  (document.activeElement instanceof HTMLElement && document.activeElement.matches('input, textarea, select, [contenteditable]'));

/** Whether shortcuts are on. The choice also applies to other tasks that the user opens. */
let isOnByDefault = true;

/**
 * Runs actions by single keys. `?` opens a dialog that lists the shortcuts and can turn them off, because speech input can send keys by
 * accident.
 */
export function Shortcuts({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  const [isOpen, setOpen] = useState(false);
  const [isOn, setOn] = useState(isOnByDefault);
  isOnByDefault = isOn;
  const latest = useRef<readonly Shortcut[]>([]);
  latest.current = isOn ? [...shortcuts, { key: '?', description: '', run: () => setOpen(true) }] : [];
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isBusy()) return;
      const shortcut = latest.current.find(({ key }) => key === event.key);
      if (!shortcut) return;
      event.preventDefault();
      shortcut.run();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button type="button" class="plain" onClick={() => setOpen(true)}>
        Keyboard shortcuts
      </button>
      {isOpen && (
        <Dialog title="Keyboard shortcuts" onClose={() => setOpen(false)}>
          <dl class="shortcuts">
            {[...shortcuts, { key: '?', description: 'Show this list' }].map(({ key, description }) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{description}</dd>
              </div>
            ))}
          </dl>
          <p>
            <label class="check">
              <input type="checkbox" checked={isOn} onChange={(event) => setOn(event.currentTarget.checked)} /> Shortcuts are on
            </label>
          </p>
          <p>
            <button type="button" onClick={() => setOpen(false)}>
              Close
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}
