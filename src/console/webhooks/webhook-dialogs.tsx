import { useState } from 'preact/hooks';
import { useMutation, useQueryOnRequest } from '../data/index.ts';
import { ConfirmDialog } from '../elements/dialog.tsx';
import { ConflictAlert, useEdits } from '../elements/edits.tsx';
import { Field } from '../elements/field.tsx';
import { useNotify } from '../elements/notices.tsx';
import { mayLeave, useLeaveQuestion } from '../router.ts';
import { WebhookSecret } from './create-dialog.tsx';
import {
  ConfirmContact,
  DeleteWebhook,
  EndPreviousSecret,
  ResumeWebhook,
  RotateSecret,
  UpdateWebhook,
  type Webhook,
  WebhookById,
} from './documents.ts';
import { changedByOthersText, closeQuestion, eventsIn, nameOf } from './texts.ts';
import { WebhookFields, type WebhookValues, webhookFailure, webhookFieldNames, webhookLabels } from './webhook-fields.tsx';

interface WebhookDialogProps {
  readonly webhook: Webhook;
  /** Whether the webhook was deleted after the dialog was opened. */
  readonly isDeleted: boolean;
  onClose(): void;
  /** Called after the webhook was deleted. */
  onDelete(): void;
}

const keyOf = ({ id, platformId }: Webhook) => ({ id, platformId: platformId ?? '' });

const valuesOf = ({ url, events, contactEmail }: Webhook): WebhookValues => ({
  url,
  events: events.join('\n'),
  contactEmail: contactEmail ?? '',
});

function EditDialog({ webhook, isDeleted, onClose }: WebhookDialogProps) {
  const update = useMutation(UpdateWebhook);
  const current = useQueryOnRequest(WebhookById);
  const notify = useNotify();
  const stored = valuesOf(webhook);
  // Only changed values are sent. Unchanged values would overwrite changes by other users, and the service would send another confirmation
  // code to an unconfirmed contact.
  const edits = useEdits(stored);
  const [sentValues, setSentValues] = useState(stored);
  const changed = webhookFieldNames.filter((name) => name in edits.changes);
  useLeaveQuestion(changed.length > 0 ? closeQuestion : null);
  const failure = isDeleted ? null : webhookFailure(update.failure, sentValues);
  const save = ({ url, events, contactEmail }: WebhookValues) =>
    update.run({
      ...keyOf(webhook),
      ...(changed.includes('url') && { url }),
      ...(changed.includes('events') && { events: eventsIn(events) }),
      ...(changed.includes('contactEmail') && { contactEmail: contactEmail || null }),
    });
  const undo = async (saved: WebhookValues) => {
    const { data, failure } = await current.run({ id: webhook.id });
    const latest = data?.webhook && valuesOf(data.webhook);
    if (data && !(latest && changed.every((name) => latest[name] === saved[name]))) return notify({ text: changedByOthersText });
    const error = failure ?? (await save(stored)).failure;
    notify({ text: error ? `The webhook was not restored. ${error.message}` : 'Webhook restored.' });
  };
  const confirm = async () => {
    setSentValues(edits.values);
    const { data } = await save(edits.values);
    if (!data?.updateWebhook) return;
    const saved = valuesOf(data.updateWebhook);
    onClose();
    notify({ text: 'Webhook saved.', action: { label: 'Undo', run: () => undo(saved) } });
  };
  return (
    <ConfirmDialog
      title="Edit webhook"
      confirmLabel="Save"
      isRunning={update.isRunning}
      failure={failure}
      isBlocked={isDeleted}
      onConfirm={() => void confirm()}
      onClose={() => mayLeave() && onClose()}
    >
      <WebhookFields values={edits.values} failure={failure} onChange={edits.change} />
      {!isDeleted && <ConflictAlert edits={edits} labels={webhookLabels} />}
      {isDeleted && (
        <div role="alert" class="alarm">
          <p>This webhook was deleted. Your changes cannot be saved. To keep your texts, copy them before you close this form.</p>
        </div>
      )}
    </ConfirmDialog>
  );
}

function ResumeDialog({ webhook, onClose }: WebhookDialogProps) {
  const resume = useMutation(ResumeWebhook);
  const notify = useNotify();
  const [failed, setFailed] = useState('send');
  const confirm = async () => {
    const { failure } = await resume.run({ ...keyOf(webhook), skipFailed: failed === 'skip' });
    if (failure) return;
    onClose();
    notify({ text: 'Webhook resumed.' });
  };
  return (
    <ConfirmDialog
      title="Resume webhook?"
      confirmLabel="Resume"
      isRunning={resume.isRunning}
      failure={resume.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>The service then sends all events that happened while the webhook was paused.</p>
      <Field
        label="Deliveries that failed before"
        name="skipFailed"
        type="select"
        value={failed}
        options={[
          ['send', 'Send again'],
          ['skip', 'Skip'],
        ]}
        onChange={setFailed}
      />
    </ConfirmDialog>
  );
}

function ConfirmContactDialog({ webhook, onClose }: WebhookDialogProps) {
  const confirmContact = useMutation(ConfirmContact);
  const notify = useNotify();
  const [code, setCode] = useState('');
  const confirm = async () => {
    const { failure } = await confirmContact.run({ ...keyOf(webhook), code: code.trim() });
    if (failure) return;
    onClose();
    notify({ text: 'Contact confirmed.' });
  };
  return (
    <ConfirmDialog
      title="Confirm contact"
      confirmLabel="Confirm contact"
      isRunning={confirmContact.isRunning}
      failure={confirmContact.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <Field
        label="Code"
        name="code"
        hint={`The service mailed it to ${webhook.contactEmail}.`}
        value={code}
        failure={confirmContact.failure}
        onChange={setCode}
        autoComplete="one-time-code"
        required
      />
    </ConfirmDialog>
  );
}

function RotateSecretDialog({ webhook, onClose }: WebhookDialogProps) {
  const rotate = useMutation(RotateSecret);
  const [hours, setHours] = useState('24');
  const [secret, setSecret] = useState<string | null>(null);
  const confirm = async () => {
    const { data } = await rotate.run({ ...keyOf(webhook), hours: Number(hours) });
    if (data?.rotateWebhookSecret) setSecret(data.rotateWebhookSecret.secret);
  };
  if (secret !== null) return <WebhookSecret secret={secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Rotate secret?"
      confirmLabel="Rotate secret"
      isRunning={rotate.isRunning}
      failure={rotate.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        Deliveries are signed with both secrets until the previous one expires. Until then, receivers can verify them with either
        secret.
      </p>
      <Field
        label="Hours until the previous secret expires"
        name="hours"
        type="number"
        hint="0 to 168. With 0, it expires immediately."
        value={hours}
        failure={rotate.failure}
        onChange={setHours}
        required
      />
    </ConfirmDialog>
  );
}

function EndPreviousSecretDialog({ webhook, onClose }: WebhookDialogProps) {
  const end = useMutation(EndPreviousSecret);
  const notify = useNotify();
  const confirm = async () => {
    const { failure } = await end.run(keyOf(webhook));
    if (failure) return;
    onClose();
    notify({ text: 'The previous secret is no longer valid.' });
  };
  return (
    <ConfirmDialog
      title="End previous secret?"
      confirmLabel="End previous secret"
      isRunning={end.isRunning}
      failure={end.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>Receivers that still use the previous secret will reject deliveries. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function DeleteDialog({ webhook, onClose, onDelete }: WebhookDialogProps) {
  const remove = useMutation(DeleteWebhook);
  const notify = useNotify();
  const confirm = async () => {
    const { failure } = await remove.run(keyOf(webhook));
    if (failure) return;
    onClose();
    onDelete();
    notify({ text: 'Webhook deleted.' });
  };
  return (
    <ConfirmDialog
      title="Delete webhook?"
      confirmLabel="Delete webhook"
      typedText={nameOf(webhook)}
      isRunning={remove.isRunning}
      failure={remove.failure}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>Waiting deliveries are not sent, and the history of deliveries is deleted. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

const dialogs = {
  edit: EditDialog,
  resume: ResumeDialog,
  confirmContact: ConfirmContactDialog,
  rotateSecret: RotateSecretDialog,
  endPreviousSecret: EndPreviousSecretDialog,
  delete: DeleteDialog,
};

export type DialogName = keyof typeof dialogs;

/** Dialog for an action on a webhook that needs values or a confirmation. */
export function WebhookDialog({ name, ...props }: WebhookDialogProps & { readonly name: DialogName }) {
  const Named = dialogs[name];
  return <Named {...props} />;
}
