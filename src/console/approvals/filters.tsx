import { useState } from 'preact/hooks';
import { Field } from '../elements/field.tsx';
import { changeSearch } from '../router.ts';
import { orders, type QueueFilters, states } from './queue.ts';
import { type Kind, kinds } from './texts.ts';

const keyIn = <Key extends string>(titles: Readonly<Record<Key, string>>, value: string | null): Key | null =>
  value !== null && Object.hasOwn(titles, value) ? (value as Key) : null;

/** Reads the filters from the search parameters of the URL. Unknown values count as absent. */
export const filtersIn = (search: URLSearchParams): QueueFilters => ({
  state: keyIn(states, search.get('state')) ?? 'MINE',
  kind: keyIn<Kind>(kinds, search.get('kind')),
  order: keyIn(orders, search.get('order')) ?? 'OLDEST',
  owner: search.get('owner') ?? '',
});

const set = (name: string, defaultValue: string) => (value: string) =>
  changeSearch({ [name]: value === defaultValue ? null : value, item: null });

/** Form that changes the filters. They are part of the URL, so that links and the browser history contain them. */
export function Filters({ filters }: { filters: QueueFilters }) {
  const [owner, setOwner] = useState(filters.owner);
  return (
    <search>
      <form
        class="row filters"
        onSubmit={(event) => {
          event.preventDefault();
          set('owner', '')(owner.trim());
        }}
      >
        <Field
          label="State"
          name="state"
          type="select"
          options={Object.entries(states)}
          value={filters.state}
          onChange={set('state', 'MINE')}
        />
        <Field
          label="Kind"
          name="kind"
          type="select"
          options={[['', 'All kinds'], ...Object.entries(kinds)]}
          value={filters.kind ?? ''}
          onChange={set('kind', '')}
        />
        <Field
          label="Order"
          name="order"
          type="select"
          options={Object.entries(orders)}
          value={filters.order}
          onChange={set('order', 'OLDEST')}
        />
        <Field label="Name of the owner" name="owner" type="search" value={owner} onChange={setOwner} />
        <button type="submit" class="plain">
          Search
        </button>
      </form>
    </search>
  );
}
