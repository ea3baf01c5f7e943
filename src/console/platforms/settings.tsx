import { useState } from 'preact/hooks';
import { useMutation, useQueryOnRequest, withLabels } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { ConflictAlert, useEdits } from '../elements/edits.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { useLeaveQuestion } from '../router.ts';
import { type Platform, PlatformById, UpdatePlatform } from './documents.ts';
import { fieldLabels, fieldNames, PlatformFields, type PlatformValues, platformInputOf } from './platform-fields.tsx';

/** Form for the settings of a platform, and a button that disables or enables it. Changes by other users do not overwrite typed values. */
export function Settings({ platform }: { platform: Platform }) {
  const { id, title, isEnabled } = platform;
  const update = useMutation(UpdatePlatform);
  const current = useQueryOnRequest(PlatformById);
  const stored = valuesOf(platform);
  const edits = useEdits<PlatformValues>(stored);
  const [isDisabling, setDisabling] = useState(false);
  const notify = useNotify();
  const changedNames = fieldNames.filter((name) => name in edits.changes);
  useLeaveQuestion(changedNames.length > 0 ? 'Leave this page? Your changes are not saved.' : null);
  const save = async () => {
    const { data } = await update.run({ id, input: platformInputOf(edits.changes) });
    if (!data?.updatePlatform) return;
    edits.discard();
    const saved = valuesOf(data.updatePlatform);
    const undo = async () => {
      const { data } = await current.run({ id });
      const unchanged = changedNames.filter((name) => data?.platform && valuesOf(data.platform)[name] === saved[name]);
      if (data && unchanged.length < changedNames.length)
        return notify({ text: 'Not restored: somebody else has changed the settings since.' });
      const previous = Object.fromEntries(changedNames.map((name) => [name, stored[name]]));
      const { failure } = await update.run({ id, input: platformInputOf(previous) });
      notify({ text: failure ? `The settings were not restored. ${failure.message}` : 'Settings restored.' });
    };
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
        <PlatformFields values={edits.values} failure={update.failure} onChange={edits.change} />
        <ConflictAlert edits={edits} labels={fieldLabels} />
        <FailureMessage failure={withLabels(update.failure, fieldLabels)} />
        <p class="row">
          <ActionButton type="submit" isRunning={update.isRunning}>
            Save
          </ActionButton>
          {isEnabled ? (
            <ActionButton class="danger" isRunning={update.isRunning} onClick={() => setDisabling(true)}>
              Disable platform…
            </ActionButton>
          ) : (
            <ActionButton class="plain" isRunning={update.isRunning} onClick={() => void enable()}>
              Enable platform
            </ActionButton>
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
