import { useState } from 'preact/hooks';
import { useMutation, useQuery, useSubscription } from '../data/index.ts';
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
import { Pause, Ping, Resume, type Webhook, WebhookById, WebhookChanges } from './documents.ts';
import { nameOf, stateOf } from './texts.ts';
import { type DialogName, WebhookDialog } from './webhook-dialogs.tsx';

/** Page of a webhook: its state, actions and deliveries. */
export function WebhookPage({ id }: { id: string }) {
  const query = useQuery(WebhookById, { id });
  const { webhook, liveCursor } = query.data ?? {};
  useSubscription(WebhookChanges, {}, liveCursor ?? undefined, (change) => {
    if (change.id === id || change.kind === 'CHANGES_MISSED') query.reload();
  });
  return (
    <Page title={webhook ? `Webhook ${nameOf(webhook)}` : 'Webhook'}>
      <p class="above">
        <BackLink segments={['webhooks']}>All webhooks</BackLink>
      </p>
      <QueryStates query={query}>
        {({ webhook }) => (webhook ? <WebhookDetails webhook={webhook} /> : <p class="card">No webhook has this ID.</p>)}
      </QueryStates>
    </Page>
  );
}

function WebhookDetails({ webhook }: { webhook: Webhook }) {
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
      <Actions webhook={webhook} onPing={() => setPingCount((count) => count + 1)} />
      <DeliveryList webhook={webhook} version={pingCount} />
    </>
  );
}

/** Buttons for the actions on a webhook. `onPing` is called after a test event was queued. */
function Actions({ webhook, onPing }: { webhook: Webhook; onPing(): void }) {
  const [ping, pause, resume] = [useMutation(Ping), useMutation(Pause), useMutation(Resume)];
  const [dialog, setDialog] = useState<DialogName | null>(null);
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
    const { failure } = await pause.run(key);
    if (failure) return;
    const undo = async () => {
      const { failure } = await resume.run({ ...key, skipFailed: false });
      if (!failure) notify({ text: 'Webhook resumed.' });
    };
    notify({ text: 'Webhook paused.', action: { label: 'Undo', run: () => void undo() } });
  };
  const failure = ping.failure ?? pause.failure ?? resume.failure;
  return (
    <section aria-label="Actions">
      <FailureMessage failure={failure} />
      <p class="row">
        <ActionButton isRunning={ping.isRunning} onClick={() => void sendPing()}>
          Send test event
        </ActionButton>
        {pausedAt ? (
          <ActionButton class="plain" isRunning={resume.isRunning} onClick={() => setDialog('resume')}>
            Resume…
          </ActionButton>
        ) : (
          <ActionButton class="plain" isRunning={pause.isRunning} onClick={() => void pauseWebhook()}>
            Pause
          </ActionButton>
        )}
        <button type="button" class="plain" onClick={() => setDialog('edit')}>
          Edit…
        </button>
        {contactEmail && !contactVerifiedAt && (
          <button type="button" class="plain" onClick={() => setDialog('confirmContact')}>
            Confirm contact…
          </button>
        )}
        <button type="button" class="plain" onClick={() => setDialog('rotateSecret')}>
          Rotate secret…
        </button>
        {previousSecretEndsAt && (
          <button type="button" class="plain" onClick={() => setDialog('endPreviousSecret')}>
            End previous secret…
          </button>
        )}
        <button type="button" class="danger" onClick={() => setDialog('delete')}>
          Delete…
        </button>
      </p>
      {dialog && (
        <WebhookDialog
          name={dialog}
          webhook={webhook}
          onClose={() => setDialog(null)}
          onDelete={() => navigate(hrefOf(['webhooks']))}
        />
      )}
    </section>
  );
}
