import { listOf, type Query, useMutation, useQuery, useRefresh } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { BackLink } from '../elements/back-link.tsx';
import { Facts } from '../elements/facts.tsx';
import { DateTime, formatNumber } from '../elements/formats.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { Page } from '../elements/page.tsx';
import { QueryStates } from '../elements/query-states.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { RecordKey } from '../records/record-key.tsx';
import { DeliveryById, type DeliveryDetails, SendDeliveryAgain, type Webhook } from './documents.ts';
import { deliveryStateOf, nameOf, resultOf } from './texts.ts';

/** Interval at which the delivery is read again, in seconds. */
const interval = 2;

/** Page of a delivery: its event, its request, and the results of its attempts. */
export function DeliveryPage({ id, webhookId }: { id: string; webhookId: string }) {
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
                <BackLink segments={['webhooks', webhookDelivery.webhook.id]}>Webhook {nameOf(webhookDelivery.webhook)}</BackLink>
              </p>
              <Details delivery={webhookDelivery} webhook={webhookDelivery.webhook} onSend={query.reload} />
              <Request delivery={webhookDelivery} url={webhookDelivery.webhook.url} />
              <Attempts query={query} attempts={webhookDelivery.pastAttempts} />
            </>
          ) : (
            <>
              <p class="above">
                <BackLink segments={['webhooks', webhookId]}>Webhook</BackLink>
              </p>
              <p class="card">No delivery has this ID. The service deletes old ones.</p>
            </>
          )
        }
      </QueryStates>
    </Page>
  );
}

interface DetailsProps {
  readonly delivery: DeliveryDetails;
  readonly webhook: Webhook;
  /** Called after the delivery was queued again. */
  onSend(): void;
}

function Details({ delivery, webhook, onSend }: DetailsProps) {
  const sendAgain = useMutation(SendDeliveryAgain);
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
          ['Record', <RecordKey type={delivery.recordType} id={delivery.recordKey} />],
          ['Changed fields', delivery.changedFields.join(', ') || null],
          ['Attempts since it was last queued', formatNumber(delivery.attempts)],
          ['Response', resultOf(delivery)],
          ['Error', delivery.error],
          ['Next attempt', <DateTime at={delivery.nextAttemptAt} />],
          ['Delivered', <DateTime at={delivery.deliveredAt} />],
        ]}
      />
      <FailureMessage failure={sendAgain.failure} />
      <p class="row">
        <ActionButton isRunning={sendAgain.isRunning} onClick={() => void send()}>
          Send again
        </ActionButton>
      </p>
    </>
  );
}

interface RequestProps {
  readonly delivery: DeliveryDetails;
  readonly url: string;
}

/** Headers and body of the request. The body is shown as JSON with line breaks. */
const Request = ({ delivery: { eventKey, requestBody }, url }: RequestProps) => (
  <section aria-labelledby="request">
    <h2 id="request">Request</h2>
    <Facts
      facts={[
        ['POST', url],
        ['content-type', 'application/json; charset=utf-8'],
        ['webhook-id', <code>{eventKey}</code>],
        ['webhook-timestamp', 'Start of the attempt, in seconds since 1970'],
        ['webhook-signature', 'Signatures of the ID, timestamp and body, one for each valid secret'],
      ]}
    />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines can be scrolled with the keyboard */}
    <pre class="card" tabIndex={0}>
      <code>{JSON.stringify(JSON.parse(requestBody), null, 2)}</code>
    </pre>
  </section>
);

type Attempt = DeliveryDetails['pastAttempts'][number];

const attemptColumns: readonly Column<Attempt>[] = [
  { title: 'Started', cell: ({ startedAt }) => <DateTime at={startedAt} hasSeconds /> },
  { title: 'Duration', isNumber: true, cell: ({ duration }) => `${formatNumber(duration)} ms` },
  { title: 'Status', isNumber: true, cell: ({ httpStatus }) => httpStatus ?? '–' },
  { title: 'Response', cell: ({ response }) => response ?? '–' },
  { title: 'Error', cell: ({ error }) => error ?? '–' },
];

/** Attempts of a delivery, with their responses. */
const Attempts = ({ query, attempts }: { query: Query<unknown>; attempts: readonly Attempt[] }) => (
  <section aria-labelledby="attempts">
    <h2 id="attempts">Attempts</h2>
    <Table
      caption="Last 10 attempts, newest first"
      columns={attemptColumns}
      list={listOf(query, [...attempts].reverse())}
      keyOf={({ startedAt }) => startedAt}
      emptyText="No attempt is stored."
    />
  </section>
);
