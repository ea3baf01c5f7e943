import { graphql, type ResultOf } from 'courtside-sdk';
import { useQuery } from '../data/index.ts';
import { DateTime } from '../elements/formats.tsx';

export const AuditEntryParts = graphql(`fragment ConsoleAuditEntryParts on AuditEntry {
  id createdAt recordType recordKey action source fields address
  user { id firstName lastName } platform { id title } changes { field before after }
}`);

const RoleTitles = graphql('query ConsoleRoleTitles { roles { nodes { id title } } }');

export type AuditEntry = ResultOf<typeof AuditEntryParts>;

export const actions = {
  CREATED: 'Created',
  CHANGED: 'Changed',
  DELETED: 'Deleted',
  LOCKED: 'Sign-in blocked',
  EXPORTED: 'Exported',
  ERASED: 'Erased',
} as const;

const sources = { REQUEST: 'A visitor', COMMAND: 'Command line', SERVICE: 'The service' } as const;

/** Returns the name of the user, platform or process that acted. */
export const actorOf = ({ user, platform, source }: AuditEntry): string =>
  [user && ([user.firstName, user.lastName].filter(Boolean).join(' ') || user.id), platform?.title].filter(Boolean).join(', ') ||
  sources[source];

/** Values before and after a change. For secret and personal values, only the name of the field is shown. */
export function Changes({ entry: { changes, fields } }: { entry: AuditEntry }) {
  const names = fields.filter((field) => !changes.some((change) => change.field === field));
  if (changes.length + names.length === 0) return <>–</>;
  return (
    <ul class="changes">
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          {field}:{' '}
          {before !== null && (
            <del>
              <Shown field={field} value={before} />
            </del>
          )}{' '}
          {after !== null && (
            <ins>
              <Shown field={field} value={after} />
            </ins>
          )}
        </li>
      ))}
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  );
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** A value of an entry. Times are shown in the time zone of the viewer, and roles with their titles. */
function Shown({ field, value }: { field: string; value: unknown }) {
  if (field === 'roleIds' && Array.isArray(value)) return <Roles ids={value} />;
  if (typeof value !== 'string') return <>{JSON.stringify(value)}</>;
  return <>{instant.test(value) ? <DateTime at={value} /> : value}</>;
}

function Roles({ ids }: { ids: readonly unknown[] }) {
  const { data } = useQuery(RoleTitles, {});
  const titleOf = (id: unknown) => data?.roles?.nodes.find((role) => role.id === id)?.title ?? String(id);
  return <>{ids.map(titleOf).join(', ') || 'none'}</>;
}
