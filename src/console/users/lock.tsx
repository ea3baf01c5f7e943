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
  lockUser(id: $id, reason: $reason) { id lockedAt lockReason }
}`);
const UnlockUser = graphql('mutation ConsoleUnlockUser($id: ID!) { unlockUser(id: $id) { id lockedAt lockReason } }');

/** Shows whether a user is locked, with a button to lock or unlock the user. */
export function Lock({ user, onChange }: { user: User; onChange(): void }) {
  const unlock = useMutation(UnlockUser);
  const [isLocking, setLocking] = useState(false);
  const notify = useNotify();
  const unlockUser = async () => {
    const { failure } = await unlock.run({ id: user.id });
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
          <p>Reason: {user.lockReason}</p>
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
            <ActionButton class="plain" isRunning={unlock.isRunning} onClick={() => void unlockUser()}>
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
        <LockDialog user={user} onLock={onChange} onUndo={() => void unlockUser()} onClose={() => setLocking(false)} />
      )}
    </section>
  );
}

interface LockDialogProps {
  readonly user: User;
  onLock(): void;
  onUndo(): void;
  onClose(): void;
}

function LockDialog({ user, onLock, onUndo, onClose }: LockDialogProps) {
  const lock = useMutation(LockUser);
  const [reason, setReason] = useState('');
  const notify = useNotify();
  const confirm = async () => {
    const { failure } = await lock.run({ id: user.id, reason });
    if (failure) return;
    onClose();
    onLock();
    notify({ text: `${nameOf(user)} was locked.`, action: { label: 'Undo', run: onUndo } });
  };
  return (
    <ConfirmDialog
      title={`Lock ${nameOf(user)}?`}
      confirmLabel="Lock user"
      isRunning={lock.isRunning}
      failure={lock.failure}
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
    </ConfirmDialog>
  );
}
