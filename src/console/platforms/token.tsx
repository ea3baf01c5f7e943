import { useState } from 'preact/hooks';
import { useMutation } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { Field } from '../elements/field.tsx';
import { DateTime } from '../elements/formats.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { PlatformToken } from './create-platform.tsx';
import { EndPreviousToken, type Platform, RenewToken } from './documents.ts';

/** Replaces the token of a platform. The previous token can stay valid while the servers change to the new one. */
export function Token({ platform }: { platform: Platform }) {
  const { id, previousTokenEndsAt } = platform;
  const endPrevious = useMutation(EndPreviousToken);
  const [isReplacing, setReplacing] = useState(false);
  const notify = useNotify();
  const hasPrevious = previousTokenEndsAt !== null && Date.parse(previousTokenEndsAt) > Date.now();
  const end = async () => {
    const { failure } = await endPrevious.run({ id });
    if (!failure) notify({ text: 'The previous token is no longer valid.' });
  };
  return (
    <section aria-labelledby="token">
      <h2 id="token">Token</h2>
      {hasPrevious ? (
        <p>
          The token was replaced. The previous token is valid until <DateTime at={previousTokenEndsAt} />.
        </p>
      ) : (
        <p class="quiet">Only the current token is valid.</p>
      )}
      <FailureMessage failure={endPrevious.failure} />
      <p class="row">
        <button type="button" class="plain" onClick={() => setReplacing(true)}>
          Replace token…
        </button>
        {hasPrevious && (
          <ActionButton class="danger" isRunning={endPrevious.isRunning} onClick={() => void end()}>
            End previous token now
          </ActionButton>
        )}
      </p>
      {isReplacing && <ReplaceDialog platform={platform} onClose={() => setReplacing(false)} />}
    </section>
  );
}

/** Durations for which the previous token stays valid, in hours. */
const overlaps = [
  ['0', '0 hours (it expires immediately)'],
  ['1', '1 hour'],
  ['24', '1 day'],
  ['168', '7 days'],
  ['720', '30 days'],
] as const;

function ReplaceDialog({ platform: { id, title }, onClose }: { platform: Platform; onClose(): void }) {
  const renew = useMutation(RenewToken);
  const [hours, setHours] = useState('24');
  const [token, setToken] = useState<string | null>(null);
  const confirm = async () => {
    const { data } = await renew.run({ id, hours: Number(hours) });
    if (data?.renewPlatformToken) setToken(data.renewPlatformToken.token);
  };
  if (token !== null) return <PlatformToken token={token} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Replace the token of ${title}?`}
      confirmLabel="Replace token"
      isRunning={renew.isRunning}
      failure={renew.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>The new token is shown once. A token that was replaced before expires immediately.</p>
      <Field
        label="The previous token stays valid for"
        name="hours"
        type="select"
        value={hours}
        options={overlaps}
        failure={renew.failure}
        onChange={setHours}
      />
    </ConfirmDialog>
  );
}
