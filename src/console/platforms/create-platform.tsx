import { useState } from 'preact/hooks';
import { useMutation, withLabels } from '../data/index.ts';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { SecretDialog } from '../elements/secret.tsx';
import { hrefOf, navigate } from '../router.ts';
import { CreatePlatform } from './documents.ts';
import { fieldLabels, PlatformFields, platformInputOf } from './platform-fields.tsx';

/** Creates a platform, shows its token once, and then opens its page. */
export function CreatePlatformDialog({ onClose }: { onClose(): void }) {
  const create = useMutation(CreatePlatform);
  const [values, setValues] = useState({ title: '', domain: '', allowedOrigins: '' });
  const [created, setCreated] = useState<{ token: string; id: string } | null>(null);
  const confirm = async () => {
    const { data } = await create.run({ input: platformInputOf(values) });
    if (data?.createPlatform) setCreated({ token: data.createPlatform.token, id: data.createPlatform.platform.id });
  };
  if (created)
    return <PlatformToken token={created.token} onClose={() => navigate(hrefOf(['platforms', 'details', created.id]))} />;
  return (
    <ConfirmDialog
      title="Create platform"
      confirmLabel="Create platform"
      isRunning={create.isRunning}
      failure={withLabels(create.failure, fieldLabels)}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <PlatformFields values={values} failure={create.failure} onChange={setValues} />
    </ConfirmDialog>
  );
}

/** Shows the new token of a platform. */
export const PlatformToken = ({ token, onClose }: { token: string; onClose(): void }) => (
  <SecretDialog title="Platform token" label="Token" secret={token} onClose={onClose}>
    <p>
      The servers of the platform send this token in the header <code>PB-API-TOKEN</code>. It must never reach a browser or an
      app.
    </p>
  </SecretDialog>
);
