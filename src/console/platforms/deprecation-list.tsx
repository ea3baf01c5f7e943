import { useState } from 'preact/hooks';
import { useList, useMutation, useSession, useSubscription } from '../data/index.ts';
import { ActionButton } from '../elements/action-button.tsx';
import { DateTime } from '../elements/formats.tsx';
import { FailureMessage } from '../elements/messages.tsx';
import { useNotify } from '../elements/notices.tsx';
import { Page } from '../elements/page.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { changeSearch, useConsoleLocation } from '../router.ts';
import { DeprecationDialog } from './deprecation-dialog.tsx';
import {
  DeprecateRoute,
  type Deprecation,
  DeprecationChanges,
  DeprecationSearch,
  deprecationInputOf,
  UndoDeprecation,
  valuesOf,
} from './deprecation-documents.ts';
import { PlatformTabs } from './platform-tabs.tsx';

/** Deprecated routes of `/v1`. For super admins. */
export function DeprecationList() {
  const { viewer } = useSession();
  return (
    <Page title="Deprecated routes">
      <PlatformTabs />
      {viewer.isSuperAdmin ? <Announcements /> : <p class="card">Only super admins can deprecate a route.</p>}
    </Page>
  );
}

function Announcements() {
  const { search } = useConsoleLocation();
  const text = search.get('search') ?? '';
  const filter = text ? { route: { contains: text } } : {};
  const list = useList(DeprecationSearch, { filter }, ({ deprecations }) => deprecations);
  const [edited, setEdited] = useState<Deprecation | 'NEW' | null>(null);
  const undo = useMutation(UndoDeprecation);
  const restore = useMutation(DeprecateRoute);
  const notify = useNotify();
  useSubscription(DeprecationChanges, {}, list.data?.liveCursor, list.reload);
  const withdraw = async (deprecation: Deprecation) => {
    const { failure } = await undo.run({ id: deprecation.id });
    if (failure) return;
    list.reload();
    const restoreIt = async () => {
      const { failure } = await restore.run({ input: deprecationInputOf(valuesOf(deprecation)), isNew: true });
      list.reload();
      const { route } = deprecation;
      if (failure?.code === 'CONFLICT') {
        restore.reset();
        return notify({ text: `Not restored: somebody else has deprecated ${route} since.` });
      }
      if (!failure) return notify({ text: `${route} is deprecated again.` });
      // Without a response, for example after a lost connection, the user can try again.
      const again = failure.code === null ? { action: undoAction } : {};
      notify({ text: `${route} was not deprecated again. ${failure.message}`, ...again });
    };
    const undoAction = { label: 'Undo', run: restoreIt };
    notify({ text: `${deprecation.route} is no longer deprecated.`, action: undoAction });
  };
  const columns: readonly Column<Deprecation>[] = [
    { title: 'Route', cell: ({ route }) => route },
    { title: 'Platform', cell: ({ platform }) => platform?.title ?? 'All platforms' },
    { title: 'Deprecated from', cell: ({ deprecatedAt }) => <DateTime at={deprecatedAt} /> },
    { title: 'May be removed from', cell: ({ sunsetAt }) => <DateTime at={sunsetAt} /> },
    {
      title: 'Rehearsal',
      cell: ({ rehearsalBeginsAt, rehearsalMinutes }) =>
        rehearsalBeginsAt ? (
          <>
            <DateTime at={rehearsalBeginsAt} /> for {rehearsalMinutes} min
          </>
        ) : (
          '–'
        ),
    },
    { title: 'Message', cell: ({ text }) => <span class="written">{text}</span> },
    {
      title: 'Actions',
      cell: (deprecation) => (
        <span class="row">
          <button
            type="button"
            class="link"
            aria-label={`Change the deprecation of ${deprecation.route}`}
            onClick={() => setEdited(deprecation)}
          >
            Change…
          </button>
          <ActionButton
            class="link"
            isRunning={undo.isRunning}
            aria-label={`Withdraw the deprecation of ${deprecation.route}`}
            onClick={() => void withdraw(deprecation)}
          >
            Withdraw
          </ActionButton>
        </span>
      ),
    },
  ];
  return (
    <>
      <div class="row filters">
        <SearchField
          label="Search"
          hint="Part of a route"
          value={text}
          onSearch={(value) => changeSearch({ search: value || null }, { replaces: true })}
        />
        <button type="button" onClick={() => setEdited('NEW')}>
          Deprecate a route…
        </button>
      </div>
      <FailureMessage failure={undo.failure ?? restore.failure} />
      <Table
        caption="Deprecated routes, earliest removal first"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        emptyText={text ? 'No deprecated route matches.' : 'No route is deprecated.'}
      />
      {edited && (
        <DeprecationDialog
          values={edited === 'NEW' ? {} : valuesOf(list.items.find(({ id }) => id === edited.id) ?? edited)}
          isNew={edited === 'NEW'}
          onSave={list.reload}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
