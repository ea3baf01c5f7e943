import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../data/failure.ts';
import { ActionButton } from './action-button.tsx';
import { Field } from './field.tsx';
import { FailureMessage } from './messages.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Whether the dialog hides the page behind it. */
  readonly hidesPage?: boolean;
  /** Called when the user closes the dialog with a button or with Escape. */
  onClose(): void;
}

/** Modal dialog. It keeps the focus inside and returns it to the element that had it before. */
export function Dialog({ title, children, hidesPage = false, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // The cleanup of a layout effect runs when the dialog is removed. The cleanup of `useEffect` would run after the next paint, when the page
  // may already have focused another element.
  useLayoutEffect(() => {
    const element = dialog.current;
    const previouslyFocused = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (previouslyFocused instanceof HTMLElement && previouslyFocused.isConnected) previouslyFocused.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={hidesPage ? 'covering' : ''}
      aria-labelledby={id}
      onKeyDown={(event) => {
        // Browsers do not let pages cancel the second Escape in a row.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={({ currentTarget }) => {
        // If Escape is pressed repeatedly, browsers close a dialog without an event that the page can cancel.
        if (!currentTarget.isConnected) return;
        currentTarget.showModal();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmDialogProps extends DialogProps {
  /** Label of the confirm button, such as "Revoke key". */
  readonly confirmLabel: string;
  /** Text that the user must type to confirm, such as an email address. Default: none. */
  readonly typedText?: string;
  readonly isRunning: boolean;
  /** Whether the action is currently unavailable. */
  readonly isBlocked?: boolean;
  readonly failure: Failure | null;
  onConfirm(): void;
}

/** Dialog with a button that confirms an action or submits a short form. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  typedText,
  isRunning,
  isBlocked = false,
  failure,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const isConfirmed = typedText === undefined || normalizeSpaces(text) === normalizeSpaces(typedText);
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        {children}
        {typedText !== undefined && (
          <Field label={`To confirm, type ${typedText}`} name="confirmation" value={text} onChange={setText} autoComplete="off" />
        )}
        <FailureMessage failure={failure} />
        <p class="row">
          <ActionButton type="submit" isRunning={isRunning} disabled={isBlocked || !isConfirmed}>
            {confirmLabel}
          </ActionButton>
          <button type="button" class="plain" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}

/** Normalizes whitespace as browsers do when they display text. */
const normalizeSpaces = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');
