import type { Failure } from '../data/failure.ts';

export const Loading = () => (
  <p role="status" class="quiet">
    Loading…
  </p>
);

/** Error message that screen readers announce immediately. With `onRetry`, it has a button to try again. */
export const FailureMessage = ({ failure, onRetry }: { failure: Failure | null; onRetry?: () => void }) =>
  failure && (
    <div role="alert" class="alarm">
      <p>{failure.message}</p>
      {onRetry && (
        <button type="button" class="plain" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
