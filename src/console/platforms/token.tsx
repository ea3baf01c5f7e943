import { useState } from 'preact/hooks';
import { useMutation } from '../data/index.ts';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { Field } from '../elements/field.tsx';
import { DateTime } from '../elements/formats.tsx';
import { useNotify } from '../elements/notices.tsx';
import { PlatformToken } from './create-platform.tsx';
import { EndPreviousToken, type Platform, RenewToken } from './documents.ts';

/** Replaces the token of a platform. The previous token can stay valid while the servers change to the new one. */
export function Token({ platform }: { platform: Platform }) {
  const { isEnabled, previousTokenEndsAt } = platform;
  const [isReplacing, setReplacing] = useState(false);
  const [isEnding, setEnding] = useState(false);
  const hasPrevious = previousTokenEndsAt !== null && Date.parse(previousTokenEndsAt) > Date.now();
  return (
    <section aria-labelledby="token">
      <h2 id="token">Token</h2>
      {!isEnabled ? (
        <p class="quiet">No token is valid while the platform is disabled.</p>
      ) : hasPrevious ? (
        <p>
          The token was replaced. The previous token is valid until <DateTime at={previousTokenEndsAt} />.
        </p>
      ) : (
        <p class="quiet">Only the current token is valid.</p>
      )}
      <p class="row">
        <button type="button" class="plain" onClick={() => setReplacing(true)}>
          Replace token…
        </button>
        {hasPrevious && (
          <button type="button" class="danger" onClick={() => setEnding(true)}>
            End previous token…
          </button>
        )}
      </p>
      {isReplacing && <ReplaceDialog platform={platform} onClose={() => setReplacing(false)} />}
      {isEnding && <EndPreviousDialog platform={platform} onClose={() => setEnding(false)} />}
    </section>
  );
}

function EndPreviousDialog({ platform: { id, title }, onClose }: { platform: Platform; onClose(): void }) {
  const endPrevious = useMutation(EndPreviousToken);
  const notify = useNotify();
  const confirm = async () => {
    const { failure } = await endPrevious.run({ id });
    if (failure) return;
    onClose();
    notify({ text: 'The previous token is no longer valid.' });
  };
  return (
    <ConfirmDialog
      title={`End the previous token of ${title}?`}
      confirmLabel="End previous token"
      isRunning={endPrevious.isRunning}
      failure={endPrevious.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>Servers that still use it can no longer call the service. This cannot be undone.</p>
    </ConfirmDialog>
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
      <p>The new token is shown once. A token that was replaced earlier expires immediately.</p>
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
