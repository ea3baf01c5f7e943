import { graphql, type ResultOf } from 'courtside-sdk';
import { useQuery } from '../data/index.ts';
import { DateTime } from '../elements/formats.tsx';
import { enumValuesOf, recordTypeOf } from '../records/catalog.ts';
import { fieldAt } from '../records/selection.ts';
import { formatAmount } from '../records/value.tsx';
import { labelOfConstant } from '../records/words.ts';

export const AuditEntryParts = graphql(`fragment ConsoleAuditEntryParts on AuditEntry {
  id createdAt recordType recordKey action source fields address
  user { id firstName lastName } platform { id title } changes { field before after } currency { abbreviation }
}`);

const RoleTitles = graphql('query ConsoleRoleTitles { roles { nodes { id title } } }');

export type AuditEntry = ResultOf<typeof AuditEntryParts>;

export const actionTitles = {
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
export function Changes({ entry }: { entry: AuditEntry }) {
  const { changes, fields } = entry;
  const names = fields.filter((field) => !changes.some((change) => change.field === field));
  if (changes.length + names.length === 0) return <>–</>;
  return (
    <ul class="changes">
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          {field}:{' '}
          {before !== null && (
            <del>
              <Shown entry={entry} field={field} side="before" value={before} />
            </del>
          )}{' '}
          {after !== null && (
            <ins>
              <Shown entry={entry} field={field} side="after" value={after} />
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

/** Returns the currency code of the amounts before or after a change. The change can include the currency itself. */
function currencyOf({ changes, currency }: AuditEntry, side: 'before' | 'after'): string {
  const changed = changes.find(({ field }) => field === 'currency')?.[side];
  return typeof changed === 'string' && changed ? changed.toUpperCase() : (currency?.abbreviation ?? '');
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

interface ShownProps {
  readonly entry: AuditEntry;
  readonly field: string;
  readonly side: 'before' | 'after';
  readonly value: unknown;
}

/**
 * A value of an entry. Times are shown in the time zone of the viewer, and amounts with their currency. Enum codes are replaced by labels,
 * and role IDs by titles.
 */
function Shown({ entry, field, side, value }: ShownProps) {
  if (field === 'roleIds' && Array.isArray(value)) return <Roles ids={value} />;
  const type = recordTypeOf(entry.recordType);
  const fieldType = type && fieldAt(type, field);
  if (typeof value === 'string' && fieldType?.type === 'Money') return <>{formatAmount(field, value, currencyOf(entry, side))}</>;
  const option = fieldType && enumValuesOf(fieldType.type)?.find(({ help }) => help?.endsWith(`Stored as ${value}.`));
  if (option) return <>{labelOfConstant(option.name)}</>;
  if (typeof value !== 'string') return <>{JSON.stringify(value)}</>;
  return <>{instant.test(value) ? <DateTime at={value} /> : value}</>;
}

function Roles({ ids }: { ids: readonly unknown[] }) {
  const { data } = useQuery(RoleTitles, {});
  const titleOf = (id: unknown) => data?.roles?.nodes.find((role) => role.id === id)?.title ?? String(id);
  return <>{ids.map(titleOf).join(', ') || 'none'}</>;
}
