import { graphql, type ResultOf } from 'courtside-sdk';
import { useList } from '../data/index.ts';
import { DateTime } from '../elements/formats.tsx';
import { Table } from '../elements/table.tsx';

const History = graphql(`query ConsoleRecordHistory($type: String!, $id: String!, $after: String) {
  auditEntries(
    first: 20, after: $after, orderBy: [{ field: CREATED_AT, direction: DESC }, { field: ID, direction: DESC }]
    filter: { recordType: { eq: $type }, recordKey: { eq: $id } }
  ) {
    nodes {
      id createdAt action source fields
      user { id firstName lastName } platform { id title } changes { field before after }
    }
    pageInfo { hasNextPage endCursor }
  }
}`);

type Entry = NonNullable<ResultOf<typeof History>['auditEntries']>['nodes'][number];

const actions = {
  CREATED: 'Created',
  CHANGED: 'Changed',
  DELETED: 'Deleted',
  LOCKED: 'Sign-in blocked',
  EXPORTED: 'Exported',
  ERASED: 'Erased',
} as const;

const sources = { REQUEST: 'A visitor', COMMAND: 'Command line', SERVICE: 'The service' } as const;

/** Who changed a record, newest first. For users with the role ADMIN. */
export function RecordHistory({ type, id }: { type: string; id: string }) {
  const list = useList(History, { type, id }, ({ auditEntries }) => auditEntries);
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <Table
        caption="Changes of this record, newest first"
        columns={[
          { title: 'Time', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          { title: 'Action', cell: ({ action }) => actions[action] },
          { title: 'Values', cell: (entry) => <Changes entry={entry} /> },
          { title: 'By', cell: actorOf },
        ]}
        list={list}
        keyOf={({ id }) => id}
        emptyText="The audit log has no entries about this record."
      />
    </section>
  );
}

/** Returns the name of the user, platform or process that acted. */
const actorOf = ({ user, platform, source }: Entry): string =>
  [user && ([user.firstName, user.lastName].filter(Boolean).join(' ') || user.id), platform?.title].filter(Boolean).join(', ') ||
  sources[source];

/** Values before and after a change. Secret and personal values are only named. */
function Changes({ entry: { changes, fields } }: { entry: Entry }) {
  const names = fields.filter((field) => !changes.some((change) => change.field === field));
  if (changes.length + names.length === 0) return <>–</>;
  return (
    <ul class="changes">
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          {field}: {before !== null && <del>{textOf(before)}</del>} {after !== null && <ins>{textOf(after)}</ins>}
        </li>
      ))}
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
