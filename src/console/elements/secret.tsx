import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { useLeaveQuestion } from '../router.ts';
import { Dialog } from './dialog.tsx';

interface SecretDialogProps {
  readonly title: string;
  /** Label of the secret, such as "Token". */
  readonly label: string;
  readonly secret: string;
  /** Explanation of what the secret is for. */
  readonly children?: ComponentChildren;
  onClose(): void;
}

/**
 * Shows a secret that the service returns only once. Only the button closes the dialog, so that users do not lose the secret by pressing
 * Escape. The browser asks before it leaves the page.
 */
export function SecretDialog({ title, label, secret, children, onClose }: SecretDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const id = useId();
  useLeaveQuestion(`Leave this page? The ${label.toLowerCase()} is shown only once.`);
  const copy = async () => {
    input.current?.select();
    setCopied(await copyText(secret));
  };
  return (
    <Dialog title={title} onClose={() => undefined}>
      {children}
      <p class="field">
        <label for={id}>{label}</label>
        <input
          ref={input}
          id={id}
          class="secret"
          value={secret}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </p>
      <p>
        <strong>Copy it now.</strong> It is shown only once.
      </p>
      <p class="row">
        <button type="button" onClick={copy}>
          Copy
        </button>
        <button type="button" class="plain" onClick={onClose}>
          I have stored it
        </button>
        <span role="status">{isCopied ? 'Copied' : ''}</span>
      </p>
    </Dialog>
  );
}

/** Copies a text to the clipboard. Pages without TLS have no `navigator.clipboard`, so the function copies the selected text instead. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
