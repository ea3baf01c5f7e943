import { listOf, useQuery } from '../data/index.ts';
import { formatDuration, formatNumber } from '../elements/formats.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { type Limit, LimitsQuery } from './documents.ts';

const columns: readonly Column<Limit>[] = [
  { title: 'Counts', cell: ({ description }) => description },
  {
    title: 'Maximum',
    cell: ({ maximum, period }) => `${formatNumber(maximum)} ${period === null ? 'at a time' : `in ${formatDuration(period)}`}`,
  },
  { title: 'Name in the configuration', cell: ({ limit }) => <code>{limit}</code> },
];

/** Configured limits of a platform. */
export function Limits({ platformId }: { platformId: string }) {
  const query = useQuery(LimitsQuery, { id: platformId });
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      <p class="quiet">The configuration of the service sets the limits. They are the same for all platforms.</p>
      <Table
        caption="Limits of the platform"
        columns={columns}
        list={listOf(query, query.data?.platform?.limits ?? [])}
        keyOf={({ limit }) => limit}
        emptyText="No limit is configured."
      />
    </section>
  );
}
