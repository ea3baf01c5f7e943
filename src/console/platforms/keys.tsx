import { useEffect, useState } from 'preact/hooks';
import { useList, useMutation } from '../data/index.ts';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { Field } from '../elements/field.tsx';
import { DateTime } from '../elements/formats.tsx';
import { useNotify } from '../elements/notices.tsx';
import { SecretDialog } from '../elements/secret.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { CreateKey, KeyList, type Platform, type PublishableKey, RevokeKey } from './documents.ts';
import { linesOf } from './platform-fields.tsx';

interface KeysProps {
  readonly platform: Platform;
  /** Increases when somebody changes a key. */
  readonly version: number;
}

/** Publishable keys of a platform, with their origins. */
export function Keys({ platform, version }: KeysProps) {
  const list = useList(KeyList, { platformId: platform.id }, ({ publishableKeys }) => publishableKeys);
  const [isCreating, setCreating] = useState(false);
  const [keyToRevoke, setKeyToRevoke] = useState<PublishableKey | null>(null);
  useEffect(() => {
    if (version > 0) list.reload();
  }, [version]);
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
          <button type="button" class="link" aria-label={`Revoke ${key.label ?? key.hint}`} onClick={() => setKeyToRevoke(key)}>
            Revoke…
          </button>
        ),
    },
  ];
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">Publishable keys</h2>
      <p class="quiet">Pages and apps send a publishable key. It signs users in, and reads public data.</p>
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
      {keyToRevoke && <RevokeDialog publishableKey={keyToRevoke} onRevoke={list.reload} onClose={() => setKeyToRevoke(null)} />}
    </section>
  );
}

interface CreateKeyDialogProps {
  readonly platform: Platform;
  onCreate(): void;
  onClose(): void;
}

function CreateKeyDialog({ platform, onCreate, onClose }: CreateKeyDialogProps) {
  const create = useMutation(CreateKey);
  const [label, setLabel] = useState('');
  const [origins, setOrigins] = useState('');
  const [key, setKey] = useState<string | null>(null);
  const confirm = async () => {
    const input = { platformId: platform.id, label: label.trim() || null, allowedOrigins: linesOf(origins) };
    const { data } = await create.run({ input });
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
      failure={create.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <Field
        label="Label (optional)"
        hint="Such as the name of a site or an app"
        name="label"
        value={label}
        failure={create.failure}
        onChange={setLabel}
        autoComplete="off"
      />
      <Field
        label="Origins of pages (optional)"
        hint="One per line, such as https://www.example.com. http://localhost:* allows all ports. Without origins, only apps and servers can use the key."
        name="allowedOrigins"
        type="textarea"
        value={origins}
        failure={create.failure}
        onChange={setOrigins}
      />
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
