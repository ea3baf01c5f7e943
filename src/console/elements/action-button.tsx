import type { ButtonHTMLAttributes } from 'preact';

interface ActionButtonProps extends Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'class' | 'aria-label' | 'children'> {
  readonly isRunning: boolean;
  /** Whether the action is currently unavailable. */
  readonly disabled?: boolean;
  onClick?(): void;
}

/**
 * Button that starts an action. It ignores clicks while the action is running or unavailable. It keeps the focus, which a button with the
 * attribute `disabled` would lose.
 */
export const ActionButton = ({ isRunning, disabled, onClick, type = 'button', ...attributes }: ActionButtonProps) => {
  const isBlocked = isRunning || disabled;
  return (
    <button
      {...attributes}
      type={type}
      aria-disabled={isBlocked || undefined}
      onClick={(event) => (isBlocked ? event.preventDefault() : onClick?.())}
    />
  );
};
