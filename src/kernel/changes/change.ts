import { instantFromDatabase } from '../declare/instant.js';
import { type Column, columnsOf, findRecord, metaOf } from '../declare/meta.js';
import { pathOf } from '../declare/shown.js';
import { is, type RowShaped } from '../row-shape.js';

/** What became of a row. */
export type ChangeKind = 'CREATED' | 'CHANGED' | 'DELETED';

/** Who wrote: ids alone, null for what the service does by itself. */
export interface ChangedBy {
  readonly userId: string | null;
  readonly platformId: string | null;
}

/** One committed write of a row, as the log has it. */
export interface Change {
  /** It only grows from one change to the next, of one row in the order of its writes. */
  readonly position: number;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** The type of the graph, such as `Tournament`. */
  readonly record: string;
  readonly id: string;
  readonly kind: ChangeKind;
  /** Graph paths of the changed columns, without secret and private ones. Empty if the row was created or deleted. */
  readonly fields: readonly string[];
  /** Values that subscribers find the change by, before and after it: `tournamentId=5e7f7545`. */
  readonly refs: readonly string[];
  readonly by: ChangedBy;
}

/** A row of the change log. */
export const changeRow = {
  position: is.number,
  at: is.text,
  record: is.text,
  id: is.text,
  kind: is.text,
  columns: is.texts,
  refs: is.texts,
  actor: is.orNull(is.written<{ userId?: string | null; platformId?: string | null }>()),
};

const kinds: Readonly<Record<string, ChangeKind>> = { '+': 'CREATED', '-': 'DELETED' };

interface Names {
  /** Keys by column name. */
  readonly keys: ReadonlyMap<string, string>;
  /** Graph paths by column name, without secret and private columns. */
  readonly shown: ReadonlyMap<string, string>;
}

const known = new Map<string, Names>();

const isShown = ({ field }: Column): boolean => !field.secret && !field.private && !field.isVersion;

function namesOf(record: string): Names {
  const found = known.get(record);
  if (found) return found;
  const cls = findRecord(record);
  const columns = cls ? [...columnsOf(metaOf(cls)).values()] : [];
  const names = {
    keys: new Map(columns.map(({ column, key }) => [column, key])),
    shown: new Map(columns.flatMap((column) => (isShown(column) ? [[column.column, pathOf(column)] as const] : []))),
  };
  known.set(record, names);
  return names;
}

/** A change from its row. */
export function changeOf(row: RowShaped<typeof changeRow>): Change {
  const { position, at, record, id, kind, columns, refs, actor } = row;
  const { keys, shown } = namesOf(record);
  return {
    position,
    at: instantFromDatabase(at),
    record,
    id,
    kind: kinds[kind] ?? 'CHANGED',
    fields: columns.flatMap((column) => shown.get(column) ?? []),
    refs: refs.map((ref) => {
      const [column = '', ...value] = ref.split('=');
      return `${keys.get(column) ?? column}=${value.join('=')}`;
    }),
    by: { userId: actor?.userId ?? null, platformId: actor?.platformId ?? null },
  };
}

/**
 * What one waits for: every change of a record (`Tournament`), of one row (`Tournament id=5e7f7545`), or of the rows with a value in one of
 * the columns by which the record's changes are found (`Team tournamentId=5e7f7545`).
 */
export type Topic = string;

/** Changes of one row. */
export const ofRow = (record: string, id: string): Topic => `${record} id=${id}`;

/** Changes of the rows with that value in a column, before or after; the record says by which columns (`changesBy`). */
export const ofRowsWith = (record: string, key: string, value: string): Topic => `${record} ${key}=${value}`;

/** The topics under which a change is told. */
export const topicsOf = ({ record, id, refs }: Change): Topic[] => [
  record,
  ofRow(record, id),
  ...refs.map((ref) => `${record} ${ref}`),
];
