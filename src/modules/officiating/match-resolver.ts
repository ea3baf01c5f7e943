import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { alwaysFalse, alwaysTrue, expression, tableNamed } from '../../kernel/declare/expression.js';
import { allow, visitor } from '../../kernel/declare/policy/policy.js';
import { readsColumns } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row.js';
import type { ListArgs } from '../../kernel/read/list.js';
import { withoutRows } from '../../kernel/read/paging/page-args.js';
import { listSelectionOf, querySelection } from '../../kernel/read/select.js';
import { ListArguments } from '../../kernel/serve/arguments.js';
import { type ConnectionSource, connectionOf, resolveConnection } from '../../kernel/serve/connection.js';
import { relatedRecords } from '../../kernel/serve/relations.js';
import { User } from '../accounts/users/user.js';
import { Tournament } from '../tournaments/tournament.js';
import { Match } from './match.js';
import { Pregame } from './pregame.js';
import { Prematch } from './prematch.js';
import { seesAllMatches } from './visible-matches.js';

const groupField = 'tournamentId';

@Resolver(() => Match)
export class MatchResolver {
  @allow(visitor)
  @Query(() => connectionOf(Match), {
    description:
      'Matches that referees have recorded in a tournament. Platforms, referees and admins see all matches. Other callers see the matches if the tournament shows its players. Users also see the matches that they play in.',
  })
  async matches(
    @Arg('tournamentId', () => ID, { description: 'ID of the tournament.' }) tournamentId: string,
    @ListArguments(Match) args: ListArgs,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ConnectionSource> {
    const listSelection = listSelectionOf(Match, info);
    const page = await loaders.loadPage(
      Match,
      groupField,
      tournamentId,
      listSelection.rows ? args : withoutRows(args),
      listSelection,
    );
    return resolveConnection(page, loaders, Match, args, groupField, tournamentId);
  }

  @readsColumns('id')
  @FieldResolver(() => Prematch, {
    nullable: true,
    description: 'Newest prematch of the match. Visible to platforms, referees and admins. Null for other callers.',
  })
  async prematch(
    @Root() { id }: Pick<Match, 'id'>,
    @Ctx() { caller, loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Prematch> | null> {
    if (!seesAllMatches(caller)) return null;
    const listSelection = { selection: querySelection(Prematch, info), cursors: false, rows: true };
    const { rows } = await loaders.loadPage(Prematch, 'matchId', id, { first: 1 }, listSelection);
    return rows[0] ?? null;
  }

  @readsColumns('court', 'tournamentId')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Name or number of the court. Always visible to platforms, referees and admins. Null for other callers if the tournament hides its courts (`scoreCard.hidesCourts`).',
  })
  async court(
    @Root() { court, tournamentId }: Pick<Match, 'court' | 'tournamentId'>,
    @Ctx() { caller, loaders }: Context,
  ): Promise<string | null> {
    if (court === null || seesAllMatches(caller)) return court;
    const tournament = await loaders.loadRow(Tournament, ['scoreCard.hidesCourts'], tournamentId ?? '');
    return tournament && !tournament['scoreCard.hidesCourts'] ? court : null;
  }
}

/** Relations of a match to its pregames and referees. */
export const matchRelations = [
  relatedRecords(
    Match,
    'pregames',
    Pregame,
    (caller, row) => (seesAllMatches(caller) ? expression`${row}.match_id = ${row.key}` : alwaysFalse),
    'Pregames of the match, with the serving team and the sides of the court. Visible to platforms, referees and admins. Empty for other callers.',
  ),
  relatedRecords(
    Match,
    'referees',
    User,
    (caller, row) => {
      const showsReferees = seesAllMatches(caller) ? alwaysTrue : expression`not coalesce(t.score_card_hides_referees, false)`;
      return expression`${row}.id in (select unnest(m.referee_ids) from ${tableNamed('match')} m left join ${tableNamed('tournament')} t on t.id = m.tournament_id where m.id = ${row.key} and ${showsReferees})`;
    },
    'Users who recorded the match. For visitors and other users, the list is empty if the tournament hides its referees (`scoreCard.hidesReferees`).',
  ),
];
