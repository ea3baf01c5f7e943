import { useState } from 'preact/hooks';
import { useMutation } from '../data/index.ts';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { type Platform, UpdatePlatform } from './documents.ts';
import { PlatformFields, platformInputOf } from './platform-fields.tsx';

/** Form for the settings of a platform, and a button that disables or enables it. */
export function Settings({ platform }: { platform: Platform }) {
  const { id, title, isEnabled } = platform;
  const update = useMutation(UpdatePlatform);
  const [values, setValues] = useState(valuesOf(platform));
  const [isDisabling, setDisabling] = useState(false);
  const notify = useNotify();
  const save = async () => {
    const { failure } = await update.run({ id, input: platformInputOf(values) });
    if (failure) return;
    const undo = () => void update.run({ id, input: platformInputOf(valuesOf(platform)) });
    notify({ text: 'Settings saved.', action: { label: 'Undo', run: undo } });
  };
  const enable = async () => {
    const { failure } = await update.run({ id, input: { isEnabled: true } });
    if (!failure) notify({ text: `${title} was enabled.` });
  };
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <form
        class="stack form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <PlatformFields values={values} failure={update.failure} onChange={setValues} />
        <FailureMessage failure={update.failure} />
        <p class="row">
          <button type="submit" disabled={update.isRunning}>
            Save
          </button>
          {isEnabled ? (
            <button type="button" class="danger" onClick={() => setDisabling(true)}>
              Disable platform…
            </button>
          ) : (
            <button type="button" class="plain" disabled={update.isRunning} onClick={() => void enable()}>
              Enable platform
            </button>
          )}
        </p>
      </form>
      {isDisabling && <DisableDialog platform={platform} onEnable={() => void enable()} onClose={() => setDisabling(false)} />}
    </section>
  );
}

const valuesOf = ({ title, domain, allowedOrigins }: Platform) => ({
  title,
  domain: domain ?? '',
  allowedOrigins: allowedOrigins.join('\n'),
});

interface DisableDialogProps {
  readonly platform: Platform;
  onEnable(): void;
  onClose(): void;
}

function DisableDialog({ platform: { id, title }, onEnable, onClose }: DisableDialogProps) {
  const update = useMutation(UpdatePlatform);
  const notify = useNotify();
  const confirm = async () => {
    const { failure } = await update.run({ id, input: { isEnabled: false } });
    if (failure) return;
    onClose();
    notify({ text: `${title} was disabled.`, action: { label: 'Undo', run: onEnable } });
  };
  return (
    <ConfirmDialog
      title={`Disable ${title}?`}
      confirmLabel="Disable platform"
      typedText={title}
      isRunning={update.isRunning}
      failure={update.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>The service rejects all requests with the token and the keys of the platform until it is enabled again.</p>
    </ConfirmDialog>
  );
}
