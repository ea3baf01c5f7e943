import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { selected } from '../../kernel/read/select.js';
import { removeBy } from '../../kernel/write/save.js';
import { Team } from './team.js';
import { TournamentReferee } from './tournament-referee.js';

/** Deletions of many at once. */
@Resolver()
export class BulkResolver {
  @Mutation(() => [Team], { description: 'Deletes the teams of an event and returns them as they were.' })
  @writes(Team)
  deleteTeamsOfEvent(
    @Arg('eventId', () => ID, { description: 'Id of the event.' }) eventId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Team>[]> {
    return removeBy(context, Team, 'eventId', eventId, selected(Team, info));
  }

  @Mutation(() => [TournamentReferee], {
    description: 'Deletes the referees of a tournament, not the users, and returns them as they were.',
  })
  @writes(TournamentReferee)
  deleteRefereesOfTournament(
    @Arg('tournamentId', () => ID, { description: 'Id of the tournament.' }) tournamentId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<TournamentReferee>[]> {
    return removeBy(context, TournamentReferee, 'tournamentId', tournamentId, selected(TournamentReferee, info));
  }
}
