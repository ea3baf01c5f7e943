import { graphql } from 'courtside-sdk';
import { useList, useRefresh } from '../data/index.ts';
import { DateTime } from '../elements/formats.tsx';
import { Table } from '../elements/table.tsx';
import { AuditEntryParts, actionTitles, actorOf, Changes } from './audit-entry.tsx';

const History = graphql(
  `query ConsoleRecordHistory($type: String!, $id: String!, $after: String) {
    auditEntries(
      first: 20, after: $after, orderBy: [{ field: CREATED_AT, direction: DESC }, { field: ID, direction: DESC }]
      filter: { recordType: { eq: $type }, recordKey: { eq: $id } }
    ) {
      nodes { ...ConsoleAuditEntryParts }
      pageInfo { hasNextPage endCursor }
    }
  }`,
  [AuditEntryParts],
);

/** Interval at which the entries are read again, in seconds. Some entries, such as exports, do not change the record. */
const interval = 10;

/** Changes to a record and the callers that made them, newest first. For users with the role ADMIN. */
export function RecordHistory({ type, id }: { type: string; id: string }) {
  const list = useList(History, { type, id }, ({ auditEntries }) => auditEntries);
  useRefresh(list.reload, interval);
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <Table
        caption="Changes to this record, newest first"
        columns={[
          { title: 'Time', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          { title: 'Action', cell: ({ action }) => actionTitles[action] },
          { title: 'Values', cell: (entry) => <Changes entry={entry} /> },
          { title: 'By', cell: (entry) => actorOf(entry) },
        ]}
        list={list}
        keyOf={({ id }) => id}
        emptyText="The audit trail has no entries about this record."
      />
    </section>
  );
}
