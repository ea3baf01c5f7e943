import type { Context } from '../../kernel/context.js';

/** Keys of one table by those of the other: the same id, else the same title, the older one first. */
const pairs = (from: string, to: string) =>
  `select distinct on (a.id) a.id as key, b.id as other from ${from} a join ${to} b on b.id = a.id or nfc(b.title) = nfc(a.title)
   where a.id = any($1) order by a.id, (b.id = a.id) desc, b.created_at, b.id`;

function find({ loaders, sql }: Context, from: string, to: string, id: string): Promise<string | null> {
  return loaders.batch(`${to} of ${from}`, async (ids) => {
    const rows = await sql.rows<{ key: string; other: string }>(pairs(from, to), [ids]);
    const found = new Map(rows.map(({ key, other }) => [key, other]));
    return ids.map((key) => found.get(key) ?? null);
  })(id);
}

/** The id of the listing of a league. The interface names no key between the two: platforms send the league's id as that of the listing, or only its title. */
export const findListing = (context: Context, leagueId: string): Promise<string | null> =>
  find(context, 'league', 'league_listing', leagueId);

/** The id of the league of a listing. */
export const findLeague = (context: Context, listingId: string): Promise<string | null> =>
  find(context, 'league_listing', 'league', listingId);
