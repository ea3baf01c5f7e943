import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { readsColumns } from '../../kernel/declare/record.js';
import { User } from '../accounts/users/user.js';
import { RankingPoints } from './ranking-points.js';

/** Computed fields of ranking points. */
@Resolver(() => RankingPoints)
export class PointsResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Display name of the player: `playerName`, or else the full name of the user.',
  })
  @readsColumns('playerId', 'playerName')
  async shownName(
    @Root() { playerId, playerName }: Pick<RankingPoints, 'playerId' | 'playerName'>,
    @Ctx() { loaders }: Context,
  ): Promise<string | null> {
    if (playerName) return playerName;
    const player = playerId ? await loaders.loadRow(User, nameColumns, playerId) : null;
    return [player?.firstName, player?.lastName].filter(Boolean).join(' ') || null;
  }
}

const nameColumns = ['id', 'firstName', 'lastName'];
