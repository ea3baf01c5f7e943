import { reject } from '../declare/errors.js';
import { pathOf } from '../declare/fields/legacy-fields.js';
import { type Column, columnsOf, findRecord, metaOf } from '../declare/meta.js';
import { platform } from '../declare/policy/policy.js';
import { instantFromDatabase } from '../declare/scalars/instant.js';
import { is, type RowOfShape } from '../row-shape.js';

type ChangeKind = 'CREATED' | 'CHANGED' | 'DELETED';

/** IDs of the user and the platform that wrote a change. Both are null for writes by the service itself. */
interface ChangeAuthor {
  readonly userId: string | null;
  readonly platformId: string | null;
}

/** A committed write of a row, from the change log. */
export interface Change {
  /** Position in the change log. Later changes to a row have higher positions. */
  readonly position: number;
  /** Time of the write, as an RFC 3339 string in UTC. */
  readonly at: string;
  /** GraphQL type, such as `Tournament`. */
  readonly record: string;
  readonly id: string;
  readonly kind: ChangeKind;
  /**
   * GraphQL field paths of the changed columns. Excludes row versions, and columns that are secret, private or hidden from platforms. Empty
   * if the row was created or deleted.
   */
  readonly fields: readonly string[];
  /** Values of the columns in the `changeLogColumns` option of the record, before and after the change, such as `tournamentId=5e7f7545`. */
  readonly refs: readonly string[];
  readonly author: ChangeAuthor;
}

/** Shape of a change log row. */
export const changeRow = {
  position: is.number,
  at: is.text,
  record: is.text,
  id: is.text,
  kind: is.text,
  columns: is.texts,
  refs: is.texts,
  actor: is.orNull(is.json<{ userId?: string | null; platformId?: string | null }>()),
};

const kinds: Readonly<Record<string, ChangeKind>> = { '+': 'CREATED', '-': 'DELETED' };

interface ColumnNames {
  /** Field keys by column name. */
  readonly keys: ReadonlyMap<string, string>;
  /** GraphQL field paths of the public columns, by column name. */
  readonly fieldPaths: ReadonlyMap<string, string>;
}

const namesByRecord = new Map<string, ColumnNames>();

const isPublic = ({ field }: Column): boolean =>
  !field.secret && !field.private && !field.isVersion && (field.visibleTo?.includes(platform) ?? true);

function namesOf(record: string): ColumnNames {
  const cachedNames = namesByRecord.get(record);
  if (cachedNames) return cachedNames;
  const cls = findRecord(record);
  const columns = cls ? [...columnsOf(metaOf(cls)).values()] : [];
  const names = {
    keys: new Map(columns.map(({ column, key }) => [column, key])),
    fieldPaths: new Map(columns.flatMap((column) => (isPublic(column) ? [[column.column, pathOf(column)] as const] : []))),
  };
  namesByRecord.set(record, names);
  return names;
}

/** Converts a change log row to a change. */
export function changeOf(row: RowOfShape<typeof changeRow>): Change {
  const { position, at, record, id, kind, columns, refs, actor } = row;
  const { keys, fieldPaths } = namesOf(record);
  return {
    position,
    at: instantFromDatabase(at),
    record,
    id,
    kind: kinds[kind] ?? 'CHANGED',
    fields: columns.flatMap((column) => fieldPaths.get(column) ?? []),
    refs: refs.map((ref) => {
      const [column = '', ...value] = ref.split('=');
      return `${keys.get(column) ?? column}=${value.join('=')}`;
    }),
    author: { userId: actor?.userId ?? null, platformId: actor?.platformId ?? null },
  };
}

/**
 * Identifies the changes to subscribe to. `Tournament` selects all rows of a record type, and `Tournament id=5e7f7545` selects one row.
 * `Team tournamentId=5e7f7545` selects all rows with a given value in one of the `changeLogColumns`.
 */
export type Topic = string;

/** Returns the topic of one row. */
export const rowTopic = (record: string, id: string): Topic => `${record} id=${id}`;

/**
 * Returns the topic of rows that have a value in a column, before or after the change. The column must be one of the `changeLogColumns` of
 * the record.
 */
export const columnTopic = (record: string, key: string, value: string): Topic => `${record} ${key}=${value}`;

/** Returns all topics that match a change. */
export const topicsOf = ({ record, id, refs }: Change): Topic[] => [
  record,
  rowTopic(record, id),
  ...refs.map((ref) => `${record} ${ref}`),
];

/** Position in a change log. A client that resumes from it receives only later changes. */
export interface ChangePosition {
  readonly log: string;
  readonly position: number;
  /** Checksum of the changes before the position. Shows after a failover whether the new primary has all of these changes. */
  readonly checksum?: string | undefined;
}

/** Encodes a position as a cursor for clients. Release 0.1.0 ignores the checksum, because its decoder stops at the first `=`. */
export const changeCursor = ({ log, position, checksum }: ChangePosition): string =>
  `${Buffer.from(`${log}.${position.toString(36)}`).toString('base64url')}${checksum ? `=${checksum}` : ''}`;

/** Decodes a cursor. Throws BAD_INPUT for `argument` if the cursor is invalid. */
export function parseChangeCursor(cursor: string, argument = 'after'): ChangePosition {
  const [, encoded = '', checksum] = /^([\w-]+)(?:=([0-9a-z]{1,7}))?$/.exec(cursor) ?? [];
  const [, log, position] = /^([\w-]{8})\.([0-9a-z]{1,10})$/.exec(Buffer.from(encoded, 'base64url').toString()) ?? [];
  if (!log || !position) return reject(argument, 'the `cursor` of a change, or the value of `liveCursor`');
  return { log, position: Number.parseInt(position, 36), ...(checksum && { checksum }) };
}
