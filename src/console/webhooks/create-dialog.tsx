import { useState } from 'preact/hooks';
import { useMutation } from '../data/index.ts';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { Field } from '../elements/field.tsx';
import { SecretDialog } from '../elements/secret.tsx';
import { hrefOf, mayLeave, navigate, useLeaveQuestion } from '../router.ts';
import { CreateWebhook } from './documents.ts';
import { closeQuestion, eventsIn } from './texts.ts';
import { WebhookFields, webhookFailure, webhookFieldNames } from './webhook-fields.tsx';

interface CreateDialogProps {
  /** IDs and titles of the platforms that the user can select. */
  readonly platforms: readonly (readonly [id: string, title: string])[];
  /** ID of the platform that is selected initially. If empty, no platform is selected. */
  readonly platformId: string;
  onClose(): void;
}

/** Creates a webhook of a platform, shows its secret once, and then opens its page. */
export function CreateDialog({ platforms, onClose, ...props }: CreateDialogProps) {
  const create = useMutation(CreateWebhook);
  const [platformId, setPlatformId] = useState(props.platformId);
  const [values, setValues] = useState({ url: '', events: '', contactEmail: '' });
  const [sentValues, setSentValues] = useState(values);
  const [created, setCreated] = useState<{ secret: string; id: string } | null>(null);
  const isUnsaved = platformId !== props.platformId || webhookFieldNames.some((name) => values[name] !== '');
  useLeaveQuestion(isUnsaved && !created ? closeQuestion : null);
  const failure = webhookFailure(create.failure, sentValues);
  const confirm = async () => {
    setSentValues(values);
    const { data } = await create.run({
      platformId,
      url: values.url,
      events: eventsIn(values.events),
      contactEmail: values.contactEmail || null,
    });
    if (data?.createWebhook) setCreated({ secret: data.createWebhook.secret, id: data.createWebhook.webhook.id });
  };
  if (created) return <WebhookSecret secret={created.secret} onClose={() => navigate(hrefOf(['webhooks', created.id]))} />;
  return (
    <ConfirmDialog
      title="Create webhook"
      confirmLabel="Create webhook"
      isRunning={create.isRunning}
      failure={failure}
      onConfirm={() => void confirm()}
      onClose={() => mayLeave() && onClose()}
    >
      <Field
        label="Platform"
        name="platformId"
        type="select"
        value={platformId}
        options={[['', 'Select a platform'], ...platforms]}
        failure={create.failure}
        onChange={setPlatformId}
        required
      />
      <WebhookFields values={values} failure={failure} onChange={setValues} />
    </ConfirmDialog>
  );
}

/** Shows the new secret of a webhook. */
export const WebhookSecret = ({ secret, onClose }: { secret: string; onClose(): void }) => (
  <SecretDialog title="Webhook secret" label="Secret" secret={secret} onClose={onClose}>
    <p>The service signs deliveries with this secret. Receivers verify the signature with it.</p>
  </SecretDialog>
);
