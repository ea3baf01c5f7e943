import { graphql } from 'courtside-sdk';
import { useState } from 'preact/hooks';
import { useMutation } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { Field } from '../elements/field.tsx';
import { DateTime } from '../elements/formats.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { nameOf, type User } from './user.ts';

const LockUser = graphql(`mutation ConsoleLockUser($id: ID!, $reason: String!) {
  lockUser(id: $id, reason: $reason, keepsExisting: true) { id lockedAt lockReason }
}`);
const UnlockUser = graphql(`mutation ConsoleUnlockUser($id: ID!, $lockedAt: Instant) {
  unlockUser(id: $id, ifLockedAt: $lockedAt) { id lockedAt lockReason }
}`);

/** Shows whether a user is locked, with a button to lock or unlock the user. */
export function Lock({ user, onChange }: { user: User; onChange(): void }) {
  const unlock = useMutation(UnlockUser);
  const [isLocking, setLocking] = useState(false);
  const notify = useNotify();
  /** Unlocks the user. With `lockedAt`, removes only the lock that was set at this time. */
  const unlockUser = async (lockedAt: string | null) => {
    const { failure } = await unlock.run({ id: user.id, lockedAt });
    if (failure?.code === 'CONFLICT') {
      unlock.reset();
      onChange();
      return notify({ text: 'Not unlocked: somebody else has changed the lock since.' });
    }
    if (failure) return;
    onChange();
    notify({ text: `${nameOf(user)} was unlocked, and can sign in again.` });
  };
  return (
    <section aria-labelledby="lock">
      <h2 id="lock">Lock</h2>
      {user.lockedAt ? (
        <div class="alarm">
          <p>
            <strong>Locked</strong> since <DateTime at={user.lockedAt} />. The user cannot sign in.
          </p>
          <p class="written">Reason: {user.lockReason}</p>
        </div>
      ) : (
        <p class="quiet">
          The account is not locked. Locking ends all sessions, and the user cannot sign in until the account is unlocked.
        </p>
      )}
      <FailureMessage failure={unlock.failure} />
      {user.viewerCan.administer && (
        <p>
          {user.lockedAt ? (
            <ActionButton class="plain" isRunning={unlock.isRunning} onClick={() => void unlockUser(null)}>
              Unlock user
            </ActionButton>
          ) : (
            <button type="button" class="danger" onClick={() => setLocking(true)}>
              Lock user…
            </button>
          )}
        </p>
      )}
      {isLocking && (
        <LockDialog
          user={user}
          onLock={onChange}
          onUndo={(lockedAt) => void unlockUser(lockedAt)}
          onClose={() => setLocking(false)}
        />
      )}
    </section>
  );
}

interface LockDialogProps {
  readonly user: User;
  /** Called after the user was locked, by the viewer or by somebody else. */
  onLock(): void;
  /** Called to remove the lock that was set at the given time. */
  onUndo(lockedAt: string | null): void;
  onClose(): void;
}

function LockDialog({ user, onLock, onUndo, onClose }: LockDialogProps) {
  const lock = useMutation(LockUser);
  const [reason, setReason] = useState('');
  const notify = useNotify();
  const confirm = async () => {
    const { data, failure } = await lock.run({ id: user.id, reason });
    if (failure?.code === 'CONFLICT') onLock();
    if (failure) return;
    onClose();
    onLock();
    const lockedAt = data.lockUser?.lockedAt ?? null;
    notify({ text: `${nameOf(user)} was locked.`, action: { label: 'Undo', run: () => onUndo(lockedAt) } });
  };
  return (
    <ConfirmDialog
      title={`Lock ${nameOf(user)}?`}
      confirmLabel="Lock user"
      isRunning={lock.isRunning}
      failure={user.lockedAt ? null : lock.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>All sessions of the user end immediately, and the user cannot sign in.</p>
      <Field
        label="Reason"
        hint="For other admins. The user does not see it."
        name="reason"
        type="textarea"
        value={reason}
        failure={lock.failure}
        onChange={setReason}
        maxLength={500}
        required
        autoFocus
      />
      {user.lockedAt && !lock.isRunning && (
        <div role="alert" class="alarm">
          <p>
            Somebody else locked the user on <DateTime at={user.lockedAt} />.
          </p>
          <p class="written">Reason: {user.lockReason}</p>
        </div>
      )}
    </ConfirmDialog>
  );
}
