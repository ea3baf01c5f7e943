import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../kernel/declare/context.js';
import type { Db } from '../../kernel/session.js';

type RecordName = 'league' | 'listing';

/** Selects pairs of leagues and listings with the same ID, or else with the same title. Prefers the oldest of several with the same title. */
const selectPairs = (db: Db, from: RecordName, to: RecordName, ids: readonly string[]) =>
  db
    .selectFrom('league')
    .innerJoin('league_listing as listing', (join) =>
      join.on(({ eb, fn, ref }) =>
        eb.or([
          eb('league.id', '=', ref('listing.id')),
          eb(fn<string>('nfc', ['league.title']), '=', fn<string>('nfc', ['listing.title'])),
        ]),
      ),
    )
    .distinctOn(`${from}.id`)
    .select([`${from}.id as key`, `${to}.id as other`])
    .where(({ ref }) => raw<SqlBool>`${ref(`${from}.id`)} = any(${ids})`)
    .orderBy(`${from}.id`)
    .orderBy(({ eb, ref }) => eb('league.id', '=', ref('listing.id')), 'desc')
    .orderBy(`${to}.created_at`)
    .orderBy(`${to}.id`);

/** ID of the league of a listing, or of the listing of a league. Reads a list with one statement. */
function findCounterpart({ loaders, sql }: Context, from: RecordName, to: RecordName, id: string): Promise<string | null> {
  return loaders.batchLoader(`${to} of ${from}`, async (ids) => {
    const rows = await sql.run(selectPairs(sql.db, from, to, ids));
    const otherIds = new Map(rows.map(({ key, other }) => [key, other]));
    return ids.map((key) => otherIds.get(key) ?? null);
  })(id);
}

/** ID of the listing of a league. There is no foreign key, because platforms send the same ID for both, or only the same title. */
export const findListing = (context: Context, leagueId: string): Promise<string | null> =>
  findCounterpart(context, 'league', 'listing', leagueId);

/** ID of the league of a listing. */
export const findLeague = (context: Context, listingId: string): Promise<string | null> =>
  findCounterpart(context, 'listing', 'league', listingId);
