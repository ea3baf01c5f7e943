import { useRef, useState } from 'preact/hooks';
import { useMutation, useQuery, useQueryOnRequest, useSubscription } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { BackLink } from '../elements/back-link.tsx';
import { Facts } from '../elements/facts.tsx';
import { DateTime } from '../elements/formats.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { Page } from '../elements/page.tsx';
import { QueryStates } from '../elements/query-states.tsx';
import { hrefOf, navigate } from '../router.ts';
import { DeliveryList } from './delivery-list.tsx';
import { PauseWebhook, PingWebhook, ResumeWebhook, type Webhook, WebhookById, WebhookChanges } from './documents.ts';
import { changedByOthersText, nameOf, stateOf } from './texts.ts';
import { type DialogName, WebhookDialog } from './webhook-dialogs.tsx';

/** Page of a webhook: its state, actions and deliveries. */
export function WebhookPage({ id }: { id: string }) {
  const query = useQuery(WebhookById, { id });
  const { webhook, liveCursor } = query.data ?? {};
  const [dialog, setDialog] = useState<DialogName | null>(null);
  // If somebody deletes the webhook, an open dialog keeps the text that the user has typed.
  const latest = useRef<Webhook | null>(null);
  latest.current = webhook ?? (dialog ? latest.current : null);
  useSubscription(WebhookChanges, {}, liveCursor ?? undefined, (change) => {
    if (change.id === id || change.kind === 'CHANGES_MISSED') query.reload();
  });
  return (
    <Page title={webhook ? `Webhook ${nameOf(webhook)}` : 'Webhook'}>
      <p class="above">
        <BackLink segments={['webhooks']}>All webhooks</BackLink>
      </p>
      <QueryStates query={query}>
        {({ webhook }) =>
          webhook ? <WebhookDetails webhook={webhook} onOpen={setDialog} /> : <p class="card">No webhook has this ID.</p>
        }
      </QueryStates>
      {dialog && latest.current && (
        <WebhookDialog
          name={dialog}
          webhook={latest.current}
          isDeleted={webhook === null}
          onClose={() => setDialog(null)}
          onDelete={() => navigate(hrefOf(['webhooks']))}
        />
      )}
    </Page>
  );
}

interface WebhookDetailsProps {
  readonly webhook: Webhook;
  /** Called to open a dialog for an action. */
  onOpen(dialog: DialogName): void;
}

function WebhookDetails({ webhook, onOpen }: WebhookDetailsProps) {
  const { url, events, platform, contactEmail, contactVerifiedAt, pausedAt, pauseError, previousSecretEndsAt } = webhook;
  const [pingCount, setPingCount] = useState(0);
  return (
    <>
      <Facts
        facts={[
          ['State', stateOf(webhook)],
          ...(pausedAt ? [['Paused', <DateTime at={pausedAt} />] as const] : []),
          ...(pauseError ? [['Last error', pauseError] as const] : []),
          ['URL', url],
          ['Platform', platform?.title],
          ['Events', events.join(', ')],
          ['Contact', contactEmail && `${contactEmail} (${contactVerifiedAt ? 'confirmed' : 'not confirmed'})`],
          ...(previousSecretEndsAt ? [['Previous secret expires', <DateTime at={previousSecretEndsAt} />] as const] : []),
          ['Created', <DateTime at={webhook.createdAt} />],
          ['Created by', webhook.createdBy],
        ]}
      />
      <Actions webhook={webhook} onOpen={onOpen} onPing={() => setPingCount((count) => count + 1)} />
      <DeliveryList webhook={webhook} version={pingCount} />
    </>
  );
}

/** Buttons for the actions on a webhook. `onPing` is called after a test event was queued. */
function Actions({ webhook, onOpen, onPing }: WebhookDetailsProps & { onPing(): void }) {
  const [ping, pause, resume] = [useMutation(PingWebhook), useMutation(PauseWebhook), useMutation(ResumeWebhook)];
  const current = useQueryOnRequest(WebhookById);
  const notify = useNotify();
  const { pausedAt, contactEmail, contactVerifiedAt, previousSecretEndsAt } = webhook;
  const key = { id: webhook.id, platformId: webhook.platformId ?? '' };
  const sendPing = async () => {
    const { failure } = await ping.run(key);
    if (failure) return;
    notify({ text: pausedAt ? 'Test event queued. It is sent when the webhook is resumed.' : 'Test event queued.' });
    onPing();
  };
  const pauseWebhook = async () => {
    const { data } = await pause.run(key);
    const paused = data?.pauseWebhook;
    if (!paused) return;
    const undo = async () => {
      const { data, failure } = await current.run({ id: key.id });
      if (failure) return;
      if (data.webhook?.pausedAt !== paused.pausedAt) return notify({ text: changedByOthersText });
      const resumed = await resume.run({ ...key, skipFailed: false });
      if (!resumed.failure) notify({ text: 'Webhook resumed.' });
    };
    notify({ text: 'Webhook paused.', action: { label: 'Undo', run: undo } });
  };
  const failure = ping.failure ?? pause.failure ?? current.failure ?? resume.failure;
  return (
    <section aria-label="Actions">
      <FailureMessage failure={failure} />
      <p class="row">
        <ActionButton isRunning={ping.isRunning} onClick={() => void sendPing()}>
          Send test event
        </ActionButton>
        {pausedAt ? (
          <ActionButton class="plain" isRunning={resume.isRunning} onClick={() => onOpen('resume')}>
            Resume…
          </ActionButton>
        ) : (
          <ActionButton class="plain" isRunning={pause.isRunning} onClick={() => void pauseWebhook()}>
            Pause
          </ActionButton>
        )}
        <button type="button" class="plain" onClick={() => onOpen('edit')}>
          Edit…
        </button>
        {contactEmail && !contactVerifiedAt && (
          <button type="button" class="plain" onClick={() => onOpen('confirmContact')}>
            Confirm contact…
          </button>
        )}
        <button type="button" class="plain" onClick={() => onOpen('rotateSecret')}>
          Rotate secret…
        </button>
        {previousSecretEndsAt && (
          <button type="button" class="plain" onClick={() => onOpen('endPreviousSecret')}>
            End previous secret…
          </button>
        )}
        <button type="button" class="danger" onClick={() => onOpen('delete')}>
          Delete…
        </button>
      </p>
    </section>
  );
}
