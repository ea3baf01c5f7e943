import type { GraphQLResolveInfo } from 'graphql';
import { sql as raw, type SqlBool } from 'kysely';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { expression, parameter } from '../../kernel/declare/expression.js';
import { readsColumns } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row.js';
import { maxFirst } from '../../kernel/read/paging/page-args.js';
import type { Join } from '../../kernel/read/relations/join.js';
import { querySelection } from '../../kernel/read/select.js';
import { Team } from './players/team.js';
import { Tournament } from './tournament.js';
import { TournamentEvent } from './tournament-event.js';

/** Returns the relation from a tournament or an event to the teams of the signed-in user. */
const teamsOfViewer = (column: 'tournament_id' | 'event_id'): Join => ({
  name: `viewer's teams by ${column}`,
  where({ user }, row) {
    const callerId = parameter(user?.id ?? '');
    return expression`${row.column(column)} = ${row.key} and (${row}.player_one_id = ${callerId} or ${row}.player_two_id = ${callerId})`;
  },
});

const viewerTeamsInTournament = teamsOfViewer('tournament_id');
const viewerTeamsInEvent = teamsOfViewer('event_id');

/**
 * Reads the signed-in user's teams in a tournament or an event. Batches the reads for all items of a list. Empty if the caller is not
 * signed in.
 */
async function readViewerTeams(
  { caller, loaders }: Context,
  join: Join,
  id: string,
  first: number,
  info: GraphQLResolveInfo,
): Promise<RowOf<Team>[]> {
  if (!caller.user) return [];
  const listSelection = { selection: querySelection(Team, info), cursors: false, rows: true };
  return (await loaders.loadPage(Team, join, id, { first }, listSelection)).rows;
}

@Resolver(() => Tournament)
export class TournamentViewerFields {
  @readsColumns('id')
  @FieldResolver(() => Boolean, {
    description:
      'Whether the signed-in user has a registration for the tournament or an entry in one of its events. False without a user token.',
  })
  async isViewerRegistered(@Root() { id }: Pick<Tournament, 'id'>, @Ctx() { caller, loaders, sql }: Context): Promise<boolean> {
    const { user } = caller;
    if (!user) return false;
    return loaders.batchLoader('tournaments of the viewer', async (ids) => {
      const rows = await sql.run(
        sql.db
          .selectFrom('registration')
          .select('tournament_id as id')
          .where('user_id', '=', user.id)
          .where(raw<SqlBool>`tournament_id = any(${ids})`)
          .union(
            sql.db
              .selectFrom('event_registration as r')
              .innerJoin('tournament_event as e', 'e.id', 'r.event_id')
              .select('e.tournament_id as id')
              .where('r.user_id', '=', user.id)
              .where(raw<SqlBool>`e.tournament_id = any(${ids})`),
          ),
      );
      const registeredIds = new Set(rows.map((row) => row.id));
      return ids.map((tournament) => registeredIds.has(tournament));
    })(id);
  }

  @readsColumns('id')
  @FieldResolver(() => [Team], {
    description: `Teams of the signed-in user in the tournament, at most ${maxFirst}. Empty without a user token.`,
  })
  viewerTeams(
    @Root() { id }: Pick<Tournament, 'id'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Team>[]> {
    return readViewerTeams(context, viewerTeamsInTournament, id, maxFirst, info);
  }
}

@Resolver(() => TournamentEvent)
export class TournamentEventViewerFields {
  @readsColumns('id')
  @FieldResolver(() => Boolean, {
    description: 'Whether the signed-in user has an entry in the event. False without a user token.',
  })
  async isViewerRegistered(
    @Root() { id }: Pick<TournamentEvent, 'id'>,
    @Ctx() { caller, loaders, sql }: Context,
  ): Promise<boolean> {
    const { user } = caller;
    if (!user) return false;
    return loaders.batchLoader('events of the viewer', async (ids) => {
      const rows = await sql.run(
        sql.db
          .selectFrom('event_registration')
          .select('event_id as id')
          .where('user_id', '=', user.id)
          .where(raw<SqlBool>`event_id = any(${ids})`),
      );
      const registeredIds = new Set(rows.map((row) => row.id));
      return ids.map((event) => registeredIds.has(event));
    })(id);
  }

  @readsColumns('id')
  @FieldResolver(() => Team, {
    nullable: true,
    description:
      'Newest team of the signed-in user in the event. Null if the user has no team in the event, or if the request has no user token.',
  })
  async viewerTeam(
    @Root() { id }: Pick<TournamentEvent, 'id'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Team> | null> {
    const [team] = await readViewerTeams(context, viewerTeamsInEvent, id, 1, info);
    return team ?? null;
  }
}

@Resolver(() => Team)
export class TeamViewerFields {
  @readsColumns('playerOneId', 'playerTwoId')
  @FieldResolver(() => Boolean, {
    description: 'Whether the signed-in user plays on the team. False without a user token.',
  })
  isViewerPlaying(
    @Root() { playerOneId, playerTwoId }: Pick<Team, 'playerOneId' | 'playerTwoId'>,
    @Ctx() { caller: { user } }: Context,
  ): boolean {
    return user !== null && (user.id === playerOneId || user.id === playerTwoId);
  }
}
