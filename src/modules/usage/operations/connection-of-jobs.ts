import { reject } from '../../../kernel/declare/errors.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { normalizeInstant } from '../../../kernel/declare/scalars/instant.js';
import { listHash } from '../../../kernel/read/paging/cursor.js';
import { type PageArgs, pageInfoOf, parsePageArgs } from '../../../kernel/read/paging/page-args.js';
import type { ConnectionSource } from '../../../kernel/serve/connection.js';
import type { Row, Session } from '../../../kernel/session.js';
import type { FailedJobs, JobPosition } from '../../../messaging/ports.js';

const cursorOf = (list: string, { createdAt, id }: JobPosition): string =>
  Buffer.from(`${listHash(list)} ${createdAt} ${id}`).toString('base64url');

/** Returns the position in a cursor. Throws BAD_INPUT for `argument` if the cursor is invalid or belongs to another list. */
function positionIn(list: string, argument: 'after' | 'before', cursor: string | null | undefined): JobPosition | null {
  if (!cursor) return null;
  const [hash, time = '', id, ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const createdAt = normalizeInstant(time);
  const isValid = hash === listHash(list) && createdAt !== null && id !== undefined && rest.length === 0 && !id.includes('\0');
  return isValid ? { createdAt, id } : reject(argument, 'a cursor of this list');
}

/** Reads a page of failed jobs, newest first. `name` is the name of the list. */
export async function connectionOfJobs<T extends JobPosition, Filter extends object>(
  sql: Session,
  name: string,
  jobs: FailedJobs<T, Filter>,
  args: PageArgs,
  filter: Filter,
  toRow: (job: T) => Row,
): Promise<ConnectionSource> {
  const list = name + JSON.stringify(filter);
  const [range, after, before] = runChecks(
    () => parsePageArgs(args),
    () => positionIn(list, 'after', args.after),
    () => positionIn(list, 'before', args.before),
  );
  const found = await jobs.read(sql, { ...range, size: range.size + 1, after, before }, filter);
  const items = found.slice(0, range.size);
  if (range.isBackward) items.reverse();
  return {
    page: {
      rows: items.map(toRow),
      ...pageInfoOf(range, args, found.length > range.size),
      cursor: (row) => cursorOf(list, row as Row & JobPosition),
    },
    total: () => jobs.count(sql, filter),
  };
}
