import { useMutation, useQuery, useRefresh } from '../data/index.ts';
import { Facts } from '../elements/facts.tsx';
import { DateTime, formatNumber } from '../elements/formats.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { Page } from '../elements/page.tsx';
import { QueryStates } from '../elements/query-states.tsx';
import { RecordLink } from '../elements/record-link.tsx';
import { hrefOf } from '../router.ts';
import { type Delivery, DeliveryById, SendAgain, type Webhook } from './documents.ts';
import { deliveryStateOf, nameOf, resultOf } from './texts.ts';

/** Interval at which the delivery is read again, in seconds. */
const interval = 2;

/** Page of a delivery: its event and the result of the last attempt. */
export function DeliveryPage({ id }: { id: string }) {
  const query = useQuery(DeliveryById, { id });
  useRefresh(query.reload, interval);
  const delivery = query.data?.webhookDelivery;
  return (
    <Page title={delivery ? `Delivery of ${delivery.event}` : 'Delivery'}>
      <QueryStates query={query}>
        {({ webhookDelivery }) =>
          webhookDelivery?.webhook ? (
            <>
              <p class="above">
                <a href={hrefOf(['webhooks', webhookDelivery.webhook.id])}>Webhook {nameOf(webhookDelivery.webhook)}</a>
              </p>
              <DeliveryDetails delivery={webhookDelivery} webhook={webhookDelivery.webhook} onSend={query.reload} />
            </>
          ) : (
            <p class="card">No delivery has this ID. The service deletes old ones.</p>
          )
        }
      </QueryStates>
    </Page>
  );
}

interface DeliveryDetailsProps {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
  /** Called after the delivery was queued again. */
  onSend(): void;
}

function DeliveryDetails({ delivery, webhook, onSend }: DeliveryDetailsProps) {
  const sendAgain = useMutation(SendAgain);
  const notify = useNotify();
  const send = async () => {
    const { failure } = await sendAgain.run({ id: delivery.id, platformId: webhook.platformId ?? '' });
    if (failure) return;
    notify({ text: webhook.pausedAt ? 'Queued. It is sent when the webhook is resumed.' : 'Queued again.' });
    onSend();
  };
  return (
    <>
      <Facts
        facts={[
          ['Status', deliveryStateOf(delivery)],
          ['Time of the event', <DateTime at={delivery.happenedAt} />],
          ['Record', <RecordLink type={delivery.recordType} id={delivery.recordKey} />],
          ['Changed fields', delivery.changedFields.join(', ') || null],
          ['Attempts', formatNumber(delivery.attempts)],
          ['Response', resultOf(delivery)],
          ['Error', delivery.error],
          ['Next attempt', <DateTime at={delivery.nextAttemptAt} />],
          ['Delivered', <DateTime at={delivery.deliveredAt} />],
          ['webhook-id', <code>{delivery.eventKey}</code>],
        ]}
      />
      <FailureMessage failure={sendAgain.failure} />
      <p class="row">
        <button type="button" disabled={sendAgain.isRunning} onClick={() => void send()}>
          Send again
        </button>
      </p>
    </>
  );
}
