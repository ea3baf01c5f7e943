import { useEffect, useState } from 'preact/hooks';
import { type Failure, useList, useMutation, withLabels } from '../data/index.ts';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { ConflictAlert, useEdits } from '../elements/edits.tsx';
import { Field } from '../elements/field.tsx';
import { DateTime } from '../elements/formats.tsx';
import { useNotify } from '../elements/notices.tsx';
import { SecretDialog } from '../elements/secret.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { CreateKey, KeyList, type Platform, type PublishableKey, RevokeKey, UpdateKey } from './documents.ts';
import { linesOf } from './platform-fields.tsx';

interface KeysProps {
  readonly platform: Platform;
  /** Number that increases when a user changes a key. The keys are then read again. */
  readonly version: number;
}

/** Publishable keys of a platform, with their origins. */
export function Keys({ platform, version }: KeysProps) {
  const list = useList(KeyList, { platformId: platform.id }, ({ publishableKeys }) => publishableKeys);
  const [isCreating, setCreating] = useState(false);
  const [keyToEdit, setKeyToEdit] = useState<PublishableKey | null>(null);
  const [keyToRevoke, setKeyToRevoke] = useState<PublishableKey | null>(null);
  useEffect(() => {
    if (version > 0) list.reload();
  }, [version]);
  const latest = (key: PublishableKey) => list.items.find(({ id }) => id === key.id) ?? key;
  const columns: readonly Column<PublishableKey>[] = [
    { title: 'Label', cell: ({ label }) => label ?? 'No label' },
    { title: 'Key', cell: ({ hint }) => <code>{hint}…</code> },
    {
      title: 'Origins of pages',
      cell: ({ allowedOrigins }) => (allowedOrigins.length > 0 ? allowedOrigins.join(', ') : 'Only apps and servers'),
    },
    {
      title: 'Created',
      cell: ({ createdAt, createdBy }) => (
        <>
          <DateTime at={createdAt} /> {createdBy && `by ${createdBy}`}
        </>
      ),
    },
    {
      title: 'State',
      cell: (key) =>
        key.revokedAt ? (
          <>
            Revoked <DateTime at={key.revokedAt} />
          </>
        ) : (
          <>
            <button type="button" class="link" aria-label={`Edit ${key.label ?? key.hint}`} onClick={() => setKeyToEdit(key)}>
              Edit…
            </button>{' '}
            <button type="button" class="link" aria-label={`Revoke ${key.label ?? key.hint}`} onClick={() => setKeyToRevoke(key)}>
              Revoke…
            </button>
          </>
        ),
    },
  ];
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">Publishable keys</h2>
      <p class="quiet">Pages and apps send a publishable key to sign users in and to read public data.</p>
      <Table
        caption="Keys, newest first"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        emptyText="The platform has no publishable keys."
      />
      <p>
        <button type="button" class="plain" onClick={() => setCreating(true)}>
          Create key…
        </button>
      </p>
      {isCreating && <CreateKeyDialog platform={platform} onCreate={list.reload} onClose={() => setCreating(false)} />}
      {keyToEdit && <EditKeyDialog publishableKey={latest(keyToEdit)} onSave={list.reload} onClose={() => setKeyToEdit(null)} />}
      {keyToRevoke && <RevokeDialog publishableKey={keyToRevoke} onRevoke={list.reload} onClose={() => setKeyToRevoke(null)} />}
    </section>
  );
}

/** Values of a publishable key in a form. `origins` has one origin per line. */
interface KeyValues {
  readonly label: string;
  readonly origins: string;
}

const keyInputOf = ({ label, origins }: Partial<KeyValues>) => ({
  ...(label !== undefined && { label: label.trim() || null }),
  ...(origins !== undefined && { allowedOrigins: linesOf(origins) }),
});

const keyLabels = { label: 'Label (optional)', allowedOrigins: 'Origins of pages (optional)' };

interface KeyFieldsProps {
  readonly values: KeyValues;
  readonly failure: Failure | null;
  onChange(values: KeyValues): void;
}

function KeyFields({ values, failure, onChange }: KeyFieldsProps) {
  return (
    <>
      <Field
        label={keyLabels.label}
        hint="Such as the name of a site or an app"
        name="label"
        value={values.label}
        failure={failure}
        onChange={(label) => onChange({ ...values, label })}
        autoComplete="off"
      />
      <Field
        label={keyLabels.allowedOrigins}
        hint="One per line, such as https://www.example.com. http://localhost:* allows all ports. Without origins, only apps and servers can use the key."
        name="allowedOrigins"
        type="textarea"
        value={values.origins}
        failure={failure}
        onChange={(origins) => onChange({ ...values, origins })}
      />
    </>
  );
}

interface CreateKeyDialogProps {
  readonly platform: Platform;
  onCreate(): void;
  onClose(): void;
}

function CreateKeyDialog({ platform, onCreate, onClose }: CreateKeyDialogProps) {
  const create = useMutation(CreateKey);
  const [values, setValues] = useState<KeyValues>({ label: '', origins: '' });
  const [key, setKey] = useState<string | null>(null);
  const confirm = async () => {
    const { data } = await create.run({ input: { platformId: platform.id, ...keyInputOf(values) } });
    if (!data?.createPublishableKey) return;
    setKey(data.createPublishableKey.key);
    onCreate();
  };
  if (key !== null)
    return (
      <SecretDialog title="New publishable key" label="Key" secret={key} onClose={onClose}>
        <p>
          Pages and apps send the key in the header <code>PB-API-TOKEN</code>. The key is not secret.
        </p>
      </SecretDialog>
    );
  return (
    <ConfirmDialog
      title={`Create a publishable key for ${platform.title}`}
      confirmLabel="Create key"
      isRunning={create.isRunning}
      failure={withLabels(create.failure, keyLabels)}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <KeyFields values={values} failure={create.failure} onChange={setValues} />
    </ConfirmDialog>
  );
}

interface EditKeyDialogProps {
  readonly publishableKey: PublishableKey;
  onSave(): void;
  onClose(): void;
}

function EditKeyDialog({ publishableKey: { id, label, hint, allowedOrigins }, onSave, onClose }: EditKeyDialogProps) {
  const update = useMutation(UpdateKey);
  const notify = useNotify();
  const edits = useEdits<KeyValues>({ label: label ?? '', origins: allowedOrigins.join('\n') });
  const confirm = async () => {
    const { failure } = await update.run({ id, input: keyInputOf(edits.changes) });
    if (failure) return;
    onClose();
    onSave();
    notify({ text: `The key ${edits.values.label.trim() || `${hint}…`} was saved.` });
  };
  return (
    <ConfirmDialog
      title={`Edit the key ${label ?? `${hint}…`}`}
      confirmLabel="Save"
      isRunning={update.isRunning}
      failure={withLabels(update.failure, keyLabels)}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <KeyFields values={edits.values} failure={update.failure} onChange={edits.change} />
      <ConflictAlert edits={edits} labels={{ label: keyLabels.label, origins: keyLabels.allowedOrigins }} />
      <p>Pages on removed origins stop working immediately.</p>
    </ConfirmDialog>
  );
}

interface RevokeDialogProps {
  readonly publishableKey: PublishableKey;
  onRevoke(): void;
  onClose(): void;
}

function RevokeDialog({ publishableKey: { id, label, hint }, onRevoke, onClose }: RevokeDialogProps) {
  const revoke = useMutation(RevokeKey);
  const notify = useNotify();
  const name = label ?? `${hint}…`;
  const confirm = async () => {
    const { failure } = await revoke.run({ id });
    if (failure) return;
    onClose();
    onRevoke();
    notify({ text: `The key ${name} was revoked.` });
  };
  return (
    <ConfirmDialog
      title={`Revoke the key ${name}?`}
      confirmLabel="Revoke key"
      isRunning={revoke.isRunning}
      failure={revoke.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>Pages and apps that use the key stop working immediately. This cannot be undone. Create a new key first.</p>
    </ConfirmDialog>
  );
}
