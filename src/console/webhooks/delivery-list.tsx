import { useEffect } from 'preact/hooks';
import { useList, useRefresh } from '../data/index.ts';
import { Field } from '../elements/field.tsx';
import { DateTime, formatNumber } from '../elements/formats.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { Table } from '../elements/table.tsx';
import { RecordKey } from '../records/record-key.tsx';
import { changeSearch, hrefOf, useConsoleLocation } from '../router.ts';
import { Deliveries, type Webhook } from './documents.ts';
import { deliveryStateOf, deliveryStates, resultOf } from './texts.ts';

/** Intervals at which deliveries are read again, in seconds. */
const intervals = { isSending: 2, isIdle: 10 };

/** Filters by status. Failed deliveries are those that wait for another attempt. */
const statusFilters = {
  PENDING: { status: { eq: 'PENDING' } },
  FAILED: { status: { eq: 'PENDING' }, attempts: { gte: 1 } },
  DELIVERED: { status: { eq: 'DELIVERED' } },
  GIVEN_UP: { status: { eq: 'GIVEN_UP' } },
} as const;

const statusOptions = [
  ['', 'Any status'],
  ['PENDING', deliveryStates.PENDING],
  ['FAILED', 'Failed, waiting to retry'],
  ['DELIVERED', deliveryStates.DELIVERED],
  ['GIVEN_UP', deliveryStates.GIVEN_UP],
] as const;

const isStatus = (value: string): value is keyof typeof statusFilters => Object.hasOwn(statusFilters, value);

/** Deliveries of a webhook, newest first. They are read again when `version` changes. */
export function DeliveryList({ webhook: { id, pausedAt }, version }: { webhook: Webhook; version: number }) {
  const { search } = useConsoleLocation();
  const status = search.get('status') ?? '';
  const event = search.get('event') ?? '';
  const filter = {
    webhookId: { eq: id },
    ...(isStatus(status) && statusFilters[status]),
    ...(event && { event: { contains: event } }),
  };
  const list = useList(Deliveries, { filter }, ({ webhookDeliveries }) => webhookDeliveries);
  const isSending = !pausedAt && list.items.some((delivery) => delivery.status === 'PENDING');
  useRefresh(list.reload, isSending ? intervals.isSending : intervals.isIdle);
  useEffect(() => {
    if (version > 0) list.reload();
  }, [version]);
  const count = list.data?.webhookDeliveries?.totalCount;
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <div class="row filters">
        <SearchField
          label="Event"
          hint="Part of the event name"
          value={event}
          onSearch={(value) => changeSearch({ event: value || null }, { replaces: true })}
        />
        <Field
          label="Status"
          name="status"
          type="select"
          value={status}
          options={statusOptions}
          onChange={(value) => changeSearch({ status: value || null })}
        />
      </div>
      <p class="quiet small">{count !== undefined && `${formatNumber(count)} ${count === 1 ? 'delivery' : 'deliveries'}`}</p>
      <Table
        caption="Deliveries, newest first"
        columns={[
          {
            title: 'Event',
            cell: (delivery) => <a href={hrefOf(['webhooks', id, delivery.id])}>{delivery.event}</a>,
          },
          { title: 'Time', cell: ({ happenedAt }) => <DateTime at={happenedAt} /> },
          { title: 'Record', cell: ({ recordType, recordKey }) => <RecordKey type={recordType} id={recordKey} /> },
          { title: 'Status', cell: deliveryStateOf },
          { title: 'Attempts', isNumber: true, cell: ({ attempts }) => formatNumber(attempts) },
          { title: 'Response', cell: resultOf },
          { title: 'Next attempt', cell: ({ nextAttemptAt }) => <DateTime at={nextAttemptAt} /> },
        ]}
        list={list}
        keyOf={(delivery) => delivery.id}
        emptyText={
          status || event
            ? 'No delivery matches. Remove a filter.'
            : 'There are no deliveries. The service deletes old ones. Send a test event to see whether deliveries arrive.'
        }
      />
    </section>
  );
}
