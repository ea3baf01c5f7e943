import { Arg, Ctx, ID, Int, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { writes } from '../../kernel/declare/writes.js';
import { removeBy } from '../../kernel/write/save.js';
import { Team } from './team.js';
import { TournamentReferee } from './tournament-referee.js';

/** Deletions of many at once; they answer how many there were. */
@Resolver()
export class BulkResolver {
  @Mutation(() => Int, { description: 'Deletes the teams of an event; how many there were.' })
  @writes(Team)
  deleteTeamsOfEvent(
    @Arg('eventId', () => ID, { description: 'Id of the event.' }) eventId: string,
    @Ctx() context: Context,
  ): Promise<number> {
    return removeBy(context, Team, 'eventId', eventId);
  }

  @Mutation(() => Int, { description: 'Deletes the referees of a tournament, not the users; how many there were.' })
  @writes(TournamentReferee)
  deleteRefereesOfTournament(
    @Arg('tournamentId', () => ID, { description: 'Id of the tournament.' }) tournamentId: string,
    @Ctx() context: Context,
  ): Promise<number> {
    return removeBy(context, TournamentReferee, 'tournamentId', tournamentId);
  }
}
