import { useState } from 'preact/hooks';
import { useMutation, useQueryOnRequest, withLabels } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { Facts } from '../elements/facts.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { useLeaveQuestion } from '../router.ts';
import { type Platform, PlatformById, UpdatePlatform } from './documents.ts';
import { fieldLabels, fieldNames, PlatformFields, type PlatformValues, platformInputOf } from './platform-fields.tsx';

/** Values that the user has typed, and the stored values that they replace. */
interface Edits {
  readonly typed: Partial<PlatformValues>;
  readonly replaced: Partial<PlatformValues>;
}

const noEdits: Edits = { typed: {}, replaced: {} };

/** Form for the settings of a platform, and a button that disables or enables it. Changes by other users do not overwrite typed values. */
export function Settings({ platform }: { platform: Platform }) {
  const { id, title, isEnabled } = platform;
  const update = useMutation(UpdatePlatform);
  const current = useQueryOnRequest(PlatformById);
  const stored = valuesOf(platform);
  const [{ typed, replaced }, setEdits] = useState(noEdits);
  const [isDisabling, setDisabling] = useState(false);
  const notify = useNotify();
  const conflicts = fieldNames.filter(
    (name) => name in replaced && replaced[name] !== stored[name] && typed[name] !== stored[name],
  );
  const isUnsaved = fieldNames.some((name) => name in typed && typed[name] !== stored[name]);
  useLeaveQuestion(isUnsaved ? 'Leave this page? Your changes are not saved.' : null);
  const change = (values: PlatformValues) => {
    const names = fieldNames.filter((name) => name in typed || values[name] !== stored[name]);
    setEdits({ typed: pick(values, names), replaced: { ...pick(stored, names), ...replaced } });
  };
  const save = async () => {
    const { data } = await update.run({ id, input: platformInputOf(typed) });
    if (!data?.updatePlatform) return;
    setEdits(noEdits);
    const saved = valuesOf(data.updatePlatform);
    const names = fieldNames.filter((name) => name in typed);
    const undo = async () => {
      const { data } = await current.run({ id });
      const unchanged = names.filter((name) => data?.platform && valuesOf(data.platform)[name] === saved[name]);
      if (data && unchanged.length < names.length)
        return notify({ text: 'Not restored: somebody else has changed the settings since.' });
      const { failure } = await update.run({ id, input: platformInputOf(pick(stored, names)) });
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
        <PlatformFields values={{ ...stored, ...typed }} failure={update.failure} onChange={change} />
        {conflicts.length > 0 && (
          <div role="alert" class="alarm">
            <p>Somebody else has changed these settings. If you save, you replace their values:</p>
            <Facts facts={conflicts.map((name) => [fieldLabels[name], stored[name]])} />
            <button type="button" class="plain" onClick={() => setEdits(noEdits)}>
              Discard my changes
            </button>
          </div>
        )}
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

const pick = (values: PlatformValues, names: readonly (keyof PlatformValues)[]): Partial<PlatformValues> =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

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
