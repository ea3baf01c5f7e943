import { useState } from 'preact/hooks';
import { useList, useReloadOnChange, useSession } from '../data/index.ts';
import { DateTime } from '../elements/formats.tsx';
import { Page } from '../elements/page.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { changeSearch, hrefOf, useConsoleLocation } from '../router.ts';
import { CreatePlatformDialog } from './create-platform.tsx';
import { type Platform, PlatformSearch } from './documents.ts';
import { PlatformTabs } from './platform-tabs.tsx';

const columns: readonly Column<Platform>[] = [
  {
    title: 'Title',
    orderBy: 'TITLE',
    cell: ({ id, title, isEnabled }) => (
      <>
        <a href={hrefOf(['platforms', 'details', id])}>{title}</a> {!isEnabled && <span class="tag declined">Disabled</span>}
      </>
    ),
  },
  { title: 'Domain', cell: ({ domain }) => domain ?? '–' },
  { title: 'Previous token expires', cell: ({ previousTokenEndsAt }) => <DateTime at={previousTokenEndsAt} /> },
  { title: 'Last change', orderBy: 'UPDATED_AT', cell: ({ updatedAt }) => <DateTime at={updatedAt} /> },
];

const orderFields = ['TITLE', 'UPDATED_AT'] as const;

/** Finds platforms by title or domain, and creates platforms. */
export function PlatformList() {
  const { viewer } = useSession();
  const { search } = useConsoleLocation();
  const [isCreating, setCreating] = useState(false);
  const text = search.get('search') ?? '';
  const order = orderFields.find((field) => field === search.get('order')) ?? 'TITLE';
  const direction = search.get('direction') === 'DESC' ? 'DESC' : 'ASC';
  const filter = text ? { or: [{ title: { contains: text } }, { domain: { contains: text } }] } : {};
  const list = useList(PlatformSearch, { filter, orderBy: [{ field: order, direction }] }, ({ platforms }) => platforms);
  useReloadOnChange('Platform', list.data?.liveCursor, list.reload);
  return (
    <Page title="Platforms">
      <PlatformTabs />
      <div class="row filters">
        <SearchField
          label="Search"
          hint="Part of a title or domain"
          value={text}
          onSearch={(value) => changeSearch({ search: value || null }, { replaces: true })}
        />
        {viewer.isSuperAdmin && (
          <button type="button" onClick={() => setCreating(true)}>
            Create platform…
          </button>
        )}
      </div>
      <Table
        caption="Platforms"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        emptyText={text ? 'No platform matches.' : 'There are no platforms.'}
        order={{ field: order, direction }}
        onOrder={(next) => changeSearch({ order: next.field, direction: next.direction })}
      />
      {isCreating && <CreatePlatformDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
