import { sql as raw, type SqlBool } from 'kysely';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import { League } from '../../leagues/league.js';

/** Field of a league that depends on the signed-in user. */
@Resolver(() => League)
export class LeagueViewer {
  @readsColumns('id')
  @FieldResolver(() => Boolean, {
    nullable: true,
    description:
      'Whether the signed-in user has an invoice for the league and is therefore registered. False without a user token.',
  })
  async isViewerRegistered(@Root() { id }: Pick<League, 'id'>, @Ctx() { caller, loaders, sql }: Context): Promise<boolean> {
    const { user } = caller;
    if (!user) return false;
    return loaders.batchLoader('leagues of the viewer', async (ids) => {
      const rows = await sql.run(
        sql.db
          .selectFrom('invoice')
          .select('module_id as id')
          .where('user_id', '=', user.id)
          .where(raw<SqlBool>`module_id = any(${ids})`)
          .where(raw<SqlBool>`lower(coalesce(module_type, '')) in ('', 'league', 'leagues')`),
      );
      const registeredIds = new Set(rows.map((row) => row.id));
      return ids.map((leagueId) => registeredIds.has(leagueId));
    })(id);
  }
}
