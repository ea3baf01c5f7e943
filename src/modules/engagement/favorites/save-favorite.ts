import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import type { RecordClass } from '../../../kernel/declare/meta.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { selectionFor } from '../../../kernel/read/selection.js';
import { upsert } from '../../../kernel/write/save.js';
import { Club } from '../../leagues/club.js';
import { League } from '../../leagues/league.js';
import { Game } from '../../scheduler/games/game.js';
import { Tournament } from '../../tournaments/tournament.js';
import { Favorite, type FavoriteKind, type FavoriteSubjectInput } from './favorite.js';

/** Records that can be favorites, keyed by kind. Clinics and courts have no records in this service. */
export const favoriteRecords: Readonly<Partial<Record<FavoriteKind, RecordClass>>> = {
  TOURNAMENT: Tournament,
  LEAGUE: League,
  CLUB: Club,
  GAME: Game,
};

/**
 * Adds a favorite, or returns the existing favorite for the same subject. Throws NOT_FOUND if the caller cannot see the subject.
 * `acceptsLegacyValues` skips this check.
 */
export async function addFavorite(
  context: Context,
  requestedUserId: string | null,
  kind: FavoriteKind,
  subjectId: string,
  acceptsLegacyValues: boolean,
  columns: readonly string[],
): Promise<RowOf<Favorite>> {
  const [userId] = runChecks(
    () => onBehalfOf(context, requestedUserId),
    () => subjectId !== '' || reject('subjectId', 'an id'),
  );
  const subject = acceptsLegacyValues ? undefined : favoriteRecords[kind];
  if (subject && !(await context.loaders.loadRow(subject, ['id'], subjectId)))
    fail('NOT_FOUND', `no ${optionsOf(subject).one} with the id ${subjectId}`);
  return upsert(context, Favorite, {}, columns, { userId, kind, subjectId });
}

/** Identifies a favorite by its ID or by its subject. */
interface FavoriteReference {
  id: string | null;
  subject: FavoriteSubjectInput | null;
}

/** Removes a favorite of a user and returns it. Throws NOT_FOUND if the user has no such favorite. */
export async function removeFavorite(
  { loaders, sql }: Context,
  userId: string,
  { id, subject }: FavoriteReference,
  columns: readonly string[],
): Promise<RowOf<Favorite>> {
  if ((id ?? null) === null ? !subject : subject) reject('id', 'a value for either `id` or `subject`');
  const row = await sql.first(
    sql.db
      .deleteFrom('favorite as r')
      .where((r) =>
        subject ? r.and([r('r.kind', '=', subject.kind), r('r.subject_id', '=', subject.subjectId)]) : r('r.id', '=', id),
      )
      .where('r.user_id', '=', userId)
      .returning(selectionFor(Favorite, columns).columns),
  );
  loaders.clear();
  const reference = subject ? `the kind ${subject.kind} and the subjectId ${subject.subjectId}` : `the id ${id}`;
  return row ?? fail('NOT_FOUND', `no favorite of this user with ${reference}`);
}
