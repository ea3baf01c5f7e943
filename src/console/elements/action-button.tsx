import type { ButtonHTMLAttributes } from 'preact';

interface ActionButtonProps
  extends Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'class' | 'disabled' | 'aria-label' | 'children'> {
  readonly isRunning: boolean;
  onClick?(): void;
}

/** Button that starts an action. While the action is running, it ignores clicks. It keeps the focus, which a disabled button would lose. */
export const ActionButton = ({ isRunning, onClick, type = 'button', ...attributes }: ActionButtonProps) => (
  <button
    {...attributes}
    type={type}
    aria-disabled={isRunning || undefined}
    onClick={(event) => (isRunning ? event.preventDefault() : onClick?.())}
  />
);
