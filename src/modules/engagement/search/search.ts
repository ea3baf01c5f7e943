import type { Context } from '../../../kernel/declare/context.js';
import { enumeration } from '../../../kernel/declare/enumeration.js';
import { reject } from '../../../kernel/declare/errors.js';
import type { RecordClass } from '../../../kernel/declare/meta.js';
import type { Caller } from '../../../kernel/declare/policy/caller.js';
import { guard } from '../../../kernel/declare/policy/policy.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import { countSearchRows, searchRows } from '../../../kernel/read/find-sql.js';
import { parsePositionCursor, positionCursor } from '../../../kernel/read/paging/cursor.js';
import { type PageArgs, pageInfoOf, parsePageArgs } from '../../../kernel/read/paging/page-args.js';
import type { ConnectionSource } from '../../../kernel/serve/connection.js';
import { User } from '../../accounts/users/user.js';
import { Club } from '../../leagues/club.js';
import { League } from '../../leagues/league.js';
import { NewsItem } from '../../news/news-item.js';
import { Tournament } from '../../tournaments/tournament.js';

/** Kinds of records that can be searched. */
export const SearchKind = enumeration('SearchKind', 'Kind of records that can be searched.', {
  TOURNAMENT:
    'Tournaments by title, venue, city and state. Excludes test tournaments and tournaments that are hidden from search pages.',
  LEAGUE: 'Leagues by title, venue, city and state. Excludes test leagues and disabled leagues.',
  CLUB: 'Clubs by title, venue, city and state.',
  PLAYER:
    'Users by first and last name only. Callers with only a publishable key find only players whom public ranking points, teams or entries refer to.',
  NEWS: 'Published news items by title.',
});
export type SearchKind = keyof typeof SearchKind;

/** Record for each kind. If matches are equally good, they are listed in this order. */
export const searchableRecords: Readonly<Record<SearchKind, RecordClass>> = {
  TOURNAMENT: Tournament,
  LEAGUE: League,
  CLUB: Club,
  PLAYER: User,
  NEWS: NewsItem,
};

/** Minimum and maximum length of a search text in characters. */
export const minSearchLength = 2;
export const maxSearchLength = 200;

/**
 * Returns the records of the selected kinds, by default of all kinds that the caller may read. Throws FORBIDDEN if the caller may not read
 * a selected kind.
 */
function recordsToSearch(kinds: readonly SearchKind[] | null, caller: Caller): RecordClass[] {
  const searchableRecordEntries = Object.entries(searchableRecords);
  if (!kinds)
    return searchableRecordEntries
      .map(([, cls]) => cls)
      .filter((cls) => optionsOf(cls).read.some((policy) => policy.permitsCaller(caller)));
  const requestedKinds = new Set<string>(kinds);
  const records = searchableRecordEntries.filter(([kind]) => requestedKinds.has(kind)).map(([, cls]) => cls);
  for (const cls of records) guard(optionsOf(cls).read, caller);
  return records;
}

function checkText(text: string): void {
  const { length } = text.trim();
  if (length < minSearchLength || text.length > maxSearchLength || text.includes('\0'))
    reject('text', `${minSearchLength} to ${maxSearchLength} characters without surrounding whitespace and without NUL`);
}

/** Returns a page of search results of several kinds, best matches first. */
export async function search(
  { caller, sql }: Context,
  text: string,
  kinds: readonly SearchKind[] | null,
  args: PageArgs,
): Promise<ConnectionSource> {
  const records = recordsToSearch(kinds, caller);
  const words = text.trim();
  const list = `search ${words} ${records.map(({ name }) => name).join()}`;
  const [, pageArgs, , start, requestedEnd] = runChecks(
    () => checkText(text),
    () => parsePageArgs(args),
    () => records.length > 0 || reject('kinds', 'at least one kind'),
    () => (args.after ? parsePositionCursor(list, 'after', args.after) + 1 : 0),
    () => (args.before ? parsePositionCursor(list, 'before', args.before) : null),
  );
  const total = () => countSearchRows(sql, records, words);
  const { size, offset, isBackward } = pageArgs;
  // If the list has become shorter, the position in an old cursor can be past the end of the list.
  const end = isBackward
    ? Math.min(requestedEnd ?? Number.POSITIVE_INFINITY, await total())
    : (requestedEnd ?? Number.POSITIVE_INFINITY);
  const from = isBackward ? Math.max(start, end - size) : start + offset;
  const limit = Math.max(0, Math.min(isBackward ? size : size + 1, end - from));
  const rows = await searchRows(sql, records, words, limit, from);
  const pageRows = rows.slice(0, size);
  const positions = new Map(pageRows.map((row, index) => [row, from + index]));
  return {
    page: {
      rows: pageRows,
      ...pageInfoOf(pageArgs, args, isBackward ? from > start : rows.length > size),
      cursor: (row) => positionCursor(list, positions.get(row) ?? from),
    },
    total,
  };
}
