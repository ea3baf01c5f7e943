import { graphql, type VariablesOf } from 'courtside-sdk';
import type { ComponentChildren } from 'preact';
import { hasRole, useList, useQuery, useRefresh, useSession } from '../data/index.ts';
import { Field } from '../elements/field.tsx';
import { DateTime, formatNumber } from '../elements/formats.tsx';
import { TextFilter } from '../elements/search-field.tsx';
import { Table } from '../elements/table.tsx';
import { type AuditEntry, AuditEntryParts, actionTitles, actorOf, Changes } from '../history/audit-entry.tsx';
import { recordTypes } from '../records/catalog.ts';
import { RecordKey } from '../records/record-key.tsx';
import { changeSearch, hrefOf, useConsoleLocation } from '../router.ts';

const Entries = graphql(
  `query ConsoleAuditTrail($filter: AuditEntryFilter, $orderBy: [AuditEntryOrder!], $after: String) {
    auditEntries(first: 50, after: $after, filter: $filter, orderBy: $orderBy) {
      totalCount nodes { ...ConsoleAuditEntryParts } pageInfo { hasNextPage endCursor }
    }
  }`,
  [AuditEntryParts],
);
type Filter = NonNullable<VariablesOf<typeof Entries>['filter']>;

const UserByEmail = graphql('query ConsoleAuditUser($email: String!) { userByEmail(email: $email) { id } }');

const origins: Readonly<Record<AuditEntry['source'], string>> = {
  REQUEST: 'Request',
  COMMAND: 'Command line',
  SERVICE: 'Service',
};

/** Interval at which the entries are read again, in seconds. */
const interval = 10;

const filterNames = ['type', 'record', 'person', 'action', 'source', 'from', 'until'] as const;
type Filters = Readonly<Record<(typeof filterNames)[number], string>>;

const isKeyOf = <Key extends string>(texts: Readonly<Record<Key, string>>, key: string): key is Key => key in texts;

/**
 * Converts a local time in the time zone of the viewer, such as `2026-03-01T12:00`, to an instant, and adds `addedMs`. Null for other
 * texts.
 */
function instantOf(localTime: string, addedMs = 0): string | null {
  const time = new Date(new Date(localTime).getTime() + addedMs);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** Finds the name of a record type, ignoring case. Returns unknown names unchanged. */
const typeNameOf = (text: string): string =>
  recordTypes.map(([name]) => name).find((name) => name.toLowerCase() === text.toLowerCase()) ?? text;

/**
 * Returns the filter for entries of users whose name or email address matches the search. Undefined while the user is loading. Null if
 * there is no search.
 */
function usePersonFilter(person: string): Filter | null | undefined {
  const { viewer } = useSession();
  // Only super admins can find users by email address.
  const isEmail = viewer.isSuperAdmin === true && person.includes('@');
  const { data, failure } = useQuery(UserByEmail, isEmail ? { email: person } : null);
  if (person === '') return null;
  if (!isEmail) return { user: { search: person } };
  if (failure) return { userId: { in: [] } };
  return data && { userId: { in: data.userByEmail ? [data.userByEmail.id] : [] } };
}

/** Audit trail, with filters for record, person, time, action and origin. */
export function AuditTrail() {
  const { search } = useConsoleLocation();
  const filters = Object.fromEntries(filterNames.map((name) => [name, search.get(name) ?? ''])) as Filters;
  const { type, record, person, action, source } = filters;
  const direction = search.get('direction') === 'ASC' ? 'ASC' : 'DESC';
  const personFilter = usePersonFilter(person);
  const from = instantOf(filters.from);
  // The input has no seconds. The filter includes the whole last minute.
  const until = instantOf(filters.until, 60_000);
  const filter = {
    ...(type && { recordType: { eq: typeNameOf(type) } }),
    ...(record && { recordKey: { eq: record } }),
    ...personFilter,
    ...(isKeyOf(actionTitles, action) && { action: { eq: action } }),
    ...(isKeyOf(origins, source) && { source: { eq: source } }),
    ...((from ?? until) && { createdAt: { ...(from && { gte: from }), ...(until && { lt: until }) } }),
  };
  const list = useList(
    Entries,
    personFilter === undefined
      ? null
      : {
          filter,
          orderBy: [
            { field: 'CREATED_AT', direction },
            { field: 'ID', direction },
          ],
        },
    ({ auditEntries }) => auditEntries,
  );
  useRefresh(list.reload, interval);
  const count = list.data?.auditEntries?.totalCount;
  return (
    <>
      <AuditFilters filters={filters} types={[...new Set(list.items.map(({ recordType }) => recordType))].sort()} />
      <p role="status" class="quiet small">
        {count !== undefined && `${formatNumber(count)} ${count === 1 ? 'entry' : 'entries'}`}
      </p>
      <Table
        caption="Audit entries"
        columns={[
          { title: 'Time', orderBy: 'CREATED_AT', cell: ({ createdAt }) => <DateTime at={createdAt} hasSeconds /> },
          { title: 'Action', cell: ({ action }) => actionTitles[action] },
          { title: 'Record', cell: ({ recordType, recordKey }) => <RecordKey type={recordType} id={recordKey} /> },
          { title: 'Values', cell: (entry) => <Changes entry={entry} /> },
          { title: 'By', cell: (entry) => <Actor entry={entry} /> },
          { title: 'Address', cell: ({ address }) => address ?? '–' },
        ]}
        list={list}
        keyOf={({ id }) => id}
        emptyText={Object.keys(filter).length > 0 ? 'No entry matches. Remove a filter.' : 'The audit trail is empty.'}
        order={{ field: 'CREATED_AT', direction }}
        onOrder={(next) => changeSearch({ direction: next.direction })}
      />
    </>
  );
}

/** Name of the caller that acted, with a link if the caller is a user. */
function Actor({ entry }: { entry: AuditEntry }): ComponentChildren {
  const { viewer } = useSession();
  const { user } = entry;
  return user && hasRole(viewer, 'ADMIN') ? <a href={hrefOf(['users', user.id])}>{actorOf(entry)}</a> : actorOf(entry);
}

/** Filters of the audit trail. They are parameters of the URL. `types` are the suggested record types. */
function AuditFilters({ filters, types }: { filters: Filters; types: readonly string[] }) {
  const { viewer } = useSession();
  const textFilter = (name: keyof Filters) => ({
    value: filters[name],
    onSearch: (value: string) => changeSearch({ [name]: value || null }, { replaces: true }),
  });
  const filter = (name: keyof Filters) => ({
    name,
    value: filters[name],
    onChange: (value: string) => changeSearch({ [name]: value || null }),
  });
  return (
    <>
      <search class="row filters">
        <TextFilter label="Record type" {...textFilter('type')} suggestions={types} />
        <TextFilter label="Record ID" {...textFilter('record')} />
        <TextFilter label={viewer.isSuperAdmin ? 'Person: name or email' : 'Person: name'} {...textFilter('person')} />
        <Field
          label="Action"
          type="select"
          options={[['', 'Any action'], ...Object.entries(actionTitles)]}
          {...filter('action')}
        />
        <Field label="Origin" type="select" options={[['', 'Any origin'], ...Object.entries(origins)]} {...filter('source')} />
        <Field label="From" type="datetime-local" {...filter('from')} />
        <Field label="Until" type="datetime-local" {...filter('until')} />
      </search>
      {Object.values(filters).some(Boolean) && (
        <p>
          <button
            type="button"
            class="link"
            onClick={() => changeSearch(Object.fromEntries(filterNames.map((name) => [name, null])))}
          >
            Remove all filters
          </button>
        </p>
      )}
    </>
  );
}
