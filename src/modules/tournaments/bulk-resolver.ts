import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allowWriters } from '../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../kernel/declare/row.js';
import { querySelection } from '../../kernel/read/select.js';
import { removeBy } from '../../kernel/write/save.js';
import { Team } from './players/team.js';
import { TournamentReferee } from './tournament-referee.js';

/** Mutations that delete several records. */
@Resolver()
export class BulkResolver {
  @Mutation(() => [Team], { description: 'Deletes all teams of an event and returns them.' })
  @allowWriters(Team)
  deleteTeamsOfEvent(
    @Arg('eventId', () => ID, { description: 'ID of the event.' }) eventId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Team>[]> {
    return removeBy(context, Team, 'eventId', eventId, querySelection(Team, info));
  }

  @Mutation(() => [TournamentReferee], {
    description: 'Deletes all referee assignments of a tournament and returns them. The users are not deleted.',
  })
  @allowWriters(TournamentReferee)
  deleteRefereesOfTournament(
    @Arg('tournamentId', () => ID, { description: 'ID of the tournament.' }) tournamentId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<TournamentReferee>[]> {
    return removeBy(context, TournamentReferee, 'tournamentId', tournamentId, querySelection(TournamentReferee, info));
  }
}
