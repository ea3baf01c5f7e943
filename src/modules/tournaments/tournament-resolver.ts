import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import { type Context, publicUrlOf } from '../../kernel/declare/context.js';
import { allow, permission, platform, visitor } from '../../kernel/declare/policy/policy.js';
import { readsColumns } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row.js';
import { instantOf } from '../../kernel/declare/scalars/instant.js';
import { selectedColumns } from '../../kernel/read/select.js';
import { currentTimeFor } from '../../kernel/response-sources.js';
import { phaseOf, TournamentPhase } from './dates/phase.js';
import { timeZoneOffset } from './dates/time-zone-offset.js';
import { Tournament } from './tournament.js';

/** Returns the URL of a tournament in an export format. */
const exportUrl = (id: string, suffix: string, context: Context): string =>
  `${publicUrlOf(context)}/tournaments/${encodeURIComponent(id)}.${suffix}`;

/** Queries for tournaments by code, and computed fields. */
@Resolver(() => Tournament)
export class TournamentResolver {
  @Query(() => Tournament, {
    nullable: true,
    description: 'Tournament with the given public code. Null if not found.',
  })
  @allow(visitor)
  tournamentByCode(
    @Arg('code', () => String, { description: 'Public code, such as K7WQ2MXA. Case is ignored.' }) code: string,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Tournament> | null> {
    return loaders.loadRow(Tournament, selectedColumns(Tournament, info), code.toUpperCase(), 'code');
  }

  @Query(() => Tournament, {
    nullable: true,
    description: 'Tournament with the given referee code. Null if not found.',
  })
  @allow(platform, permission('REFEREE'))
  tournamentByRefereeCode(
    @Arg('code', () => String, { description: 'Referee code of six letters and digits. Case is ignored.' }) code: string,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Tournament> | null> {
    return loaders.loadRow(Tournament, selectedColumns(Tournament, info), code.toUpperCase(), 'refereeCode');
  }

  @readsColumns('id')
  @FieldResolver(() => String, {
    description:
      'URL of the tournament as JSON of the Tournament Open Data Standards (TODS), with events, participants, entries and standings. Send the same headers as for this request.',
  })
  todsUrl(@Root() { id }: Pick<Tournament, 'id'>, @Ctx() context: Context): string {
    return exportUrl(id, 'tods.json', context);
  }

  @readsColumns('id')
  @FieldResolver(() => String, {
    description:
      'URL of a calendar file (ICS) with the days of the tournament and the start times of its events. Calendar apps that cannot send headers append a publishable key, as in `?key=pk_…`.',
  })
  calendarUrl(@Root() { id }: Pick<Tournament, 'id'>, @Ctx() context: Context): string {
    return exportUrl(id, 'ics', context);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      'UTC offset of the time zone at the start, in seconds. Negative west of Greenwich. Null if the start or the time zone is unknown.',
  })
  @readsColumns('timeZone', 'startsAt')
  utcOffset(@Root() { timeZone, startsAt }: Pick<Tournament, 'timeZone' | 'startsAt'>): number | null {
    return timeZoneOffset(timeZone, startsAt);
  }

  @FieldResolver(() => TournamentPhase, {
    description: 'Current phase, computed from the dates of the tournament and its time zone.',
  })
  @readsColumns(
    'startsAt',
    'effectiveEndsAt',
    'registrationOpensAt',
    'registrationClosesAt',
    'isRegistrationClosed',
    'isCanceled',
  )
  phase(
    @Root() tournament: Pick<
      Tournament,
      'startsAt' | 'effectiveEndsAt' | 'registrationOpensAt' | 'registrationClosesAt' | 'isRegistrationClosed' | 'isCanceled'
    >,
    @Ctx() { sql }: Context,
  ): TournamentPhase {
    return phaseOf(tournament, instantOf(currentTimeFor(sql)));
  }
}
