import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { instantOf } from '../../kernel/declare/instant.js';
import { allow, permission, platform, visitor } from '../../kernel/declare/policy.js';
import { needs } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { timeFor } from '../../kernel/reads.js';
import { TournamentPhase } from './phase.js';
import { phaseOf } from './phase-of.js';
import { timeZoneOffset } from './time-zone-offset.js';
import { Tournament } from './tournament.js';

/** What is computed of a tournament, and the way to it by its code. */
@Resolver(() => Tournament)
export class TournamentResolver {
  @Query(() => Tournament, {
    nullable: true,
    description: 'One tournament by the code under which players know it; null when there is none.',
  })
  @allow(visitor)
  tournamentByCode(
    @Arg('code', () => String, { description: 'The code, such as K7WQ2MXA, in any case.' }) code: string,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Tournament> | null> {
    return loaders.one(Tournament, columnsWanted(Tournament, info), code.toUpperCase(), 'code');
  }

  @Query(() => Tournament, {
    nullable: true,
    description: 'One tournament by the code with which referees enter the score app; null when there is none.',
  })
  @allow(platform, permission('REFEREE'))
  tournamentByRefereeCode(
    @Arg('code', () => String, { description: 'The code of six letters and digits, in any case.' }) code: string,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Tournament> | null> {
    return loaders.one(Tournament, columnsWanted(Tournament, info), code.toUpperCase(), 'refereeCode');
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Seconds by which its time zone is ahead of UTC when it starts; negative in the Americas.',
  })
  @needs('timeZone', 'startsAt')
  utcOffset(@Root() { timeZone, startsAt }: Pick<Tournament, 'timeZone' | 'startsAt'>): number | null {
    return timeZoneOffset(timeZone, startsAt);
  }

  @FieldResolver(() => TournamentPhase, { description: 'How far it is, by its dates in its own time zone and the time now.' })
  @needs('startsAt', 'overAt', 'registrationOpensAt', 'registrationClosesAt', 'isRegistrationClosed', 'isCanceled')
  phase(
    @Root() tournament: Pick<
      Tournament,
      'startsAt' | 'overAt' | 'registrationOpensAt' | 'registrationClosesAt' | 'isRegistrationClosed' | 'isCanceled'
    >,
    @Ctx() { sql }: Context,
  ): TournamentPhase {
    return phaseOf(tournament, instantOf(timeFor(sql)));
  }
}
