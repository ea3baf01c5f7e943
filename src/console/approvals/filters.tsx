import { useState } from 'preact/hooks';
import { Field } from '../elements/field.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { changeSearch, mayLeave } from '../router.ts';
import { orderTitles, type QueueFilters, stateTitles } from './queue.ts';
import { type Kind, kindTitles } from './texts.ts';

const keyIn = <Key extends string>(titles: Readonly<Record<Key, string>>, value: string | null): Key | null =>
  value !== null && Object.hasOwn(titles, value) ? (value as Key) : null;

/** Reads the filters from the search parameters of the URL. Unknown values count as absent. */
export const filtersIn = (search: URLSearchParams): QueueFilters => ({
  state: keyIn(stateTitles, search.get('state')) ?? 'MINE',
  kind: keyIn<Kind>(kindTitles, search.get('kind')),
  order: keyIn(orderTitles, search.get('order')) ?? 'OLDEST',
  owner: search.get('owner') ?? '',
});

/** Filters of the list. They are part of the URL, so that links and the browser history contain them. */
export function Filters({ filters }: { filters: QueueFilters }) {
  const [rejected, setRejected] = useState(0);
  const set = (name: string, defaultValue: string) => (value: string) => {
    if (mayLeave()) changeSearch({ [name]: value === defaultValue ? null : value, item: null });
    // Renders the inputs again with their previous values.
    else setRejected(rejected + 1);
  };
  return (
    <div class="row filters">
      <Field
        label="State"
        name="state"
        type="select"
        options={Object.entries(stateTitles)}
        value={filters.state}
        onChange={set('state', 'MINE')}
      />
      <Field
        label="Kind"
        name="kind"
        type="select"
        options={[['', 'All kinds'], ...Object.entries(kindTitles)]}
        value={filters.kind ?? ''}
        onChange={set('kind', '')}
      />
      <Field
        label="Order"
        name="order"
        type="select"
        options={Object.entries(orderTitles)}
        value={filters.order}
        onChange={set('order', 'OLDEST')}
      />
      <SearchField key={rejected} label="Owner name" value={filters.owner} onSearch={set('owner', '')} />
    </div>
  );
}
