import { useState } from 'preact/hooks';
import { useList, useRefresh, useSubscription } from '../data/index.ts';
import { Field } from '../elements/field.tsx';
import { DateTime, formatNumber } from '../elements/formats.tsx';
import { Page } from '../elements/page.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { Table } from '../elements/table.tsx';
import { usePlatformOptions } from '../platforms/platform-options.ts';
import { changeSearch, hrefOf, useConsoleLocation } from '../router.ts';
import { CreateDialog } from './create-dialog.tsx';
import { WebhookChanges, Webhooks } from './documents.ts';
import { stateOf } from './texts.ts';

const states = { ACTIVE: 'Active', PAUSED: 'Paused' } as const;
/** Interval at which the numbers of waiting deliveries are read again, in seconds. */
const interval = 10;

const orderFields = ['URL', 'CREATED_AT'] as const;

/** Finds webhooks by URL, platform and state. */
export function WebhookList() {
  const { search } = useConsoleLocation();
  const [isCreating, setCreating] = useState(false);
  const platforms = usePlatformOptions();
  const [text, platformId, state] = ['search', 'platform', 'state'].map((name) => search.get(name) ?? '');
  const order = orderFields.find((field) => field === search.get('order')) ?? 'CREATED_AT';
  const direction = search.get('direction') === 'ASC' ? 'ASC' : 'DESC';
  const filter = {
    ...(text && { url: { contains: text } }),
    ...(platformId && { platformId: { eq: platformId } }),
    ...(state && { pausedAt: { isNull: state === 'ACTIVE' } }),
  };
  const list = useList(Webhooks, { filter, orderBy: [{ field: order, direction }] }, ({ webhooks }) => webhooks);
  useSubscription(WebhookChanges, {}, list.data?.liveCursor ?? undefined, list.reload);
  useRefresh(list.reload, interval);
  const count = list.data?.webhooks?.totalCount;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page title="Webhooks">
      <p class="row">
        <button type="button" onClick={() => setCreating(true)}>
          Create webhook
        </button>
      </p>
      <div class="row filters">
        <SearchField
          label="Search"
          hint="Part of the URL"
          value={text ?? ''}
          onSearch={(value) => changeSearch({ search: value || null }, { replaces: true })}
        />
        <Field
          label="Platform"
          name="platform"
          type="select"
          value={platformId ?? ''}
          options={[['', 'Any platform'], ...platforms]}
          onChange={(value) => changeSearch({ platform: value || null })}
        />
        <Field
          label="State"
          name="state"
          type="select"
          value={state ?? ''}
          options={[['', 'Any state'], ...Object.entries(states)]}
          onChange={(value) => changeSearch({ state: value || null })}
        />
      </div>
      <p role="status" class="quiet small">
        {count !== undefined && `${formatNumber(count)} ${count === 1 ? 'webhook' : 'webhooks'}`}
      </p>
      <Table
        caption="Webhooks"
        columns={[
          { title: 'URL', orderBy: 'URL', cell: ({ id, url }) => <a href={hrefOf(['webhooks', id])}>{url}</a> },
          { title: 'Platform', cell: ({ platform }) => platform?.title ?? '–' },
          { title: 'Events', cell: ({ events }) => events.join(', ') },
          { title: 'State', cell: (webhook) => stateOf(webhook) },
          {
            title: 'Waiting deliveries',
            isNumber: true,
            cell: ({ deliveries }) => formatNumber(deliveries?.totalCount ?? 0),
          },
          { title: 'Created', orderBy: 'CREATED_AT', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
        ]}
        list={list}
        keyOf={({ id }) => id}
        emptyText={isFiltered ? 'No webhook matches. Remove a filter.' : 'There are no webhooks yet.'}
        order={{ field: order, direction }}
        onOrder={(next) => changeSearch({ order: next.field, direction: next.direction })}
      />
      {isCreating && <CreateDialog platforms={platforms} platformId={platformId ?? ''} onClose={() => setCreating(false)} />}
    </Page>
  );
}
