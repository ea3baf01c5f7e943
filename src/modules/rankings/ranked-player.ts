import { Extensions, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { resolvedBy } from '../../kernel/declare/fields/stored-fields.js';
import { connectionResolvers, edgeCursorResolver, PageInfo } from '../../kernel/serve/connection.js';
import { Gender } from '../accounts/users/user.js';
import { Division } from './division.js';

@ObjectType({ description: 'Player in a ranking.' })
export class RankedPlayer {
  @Field(() => ID, {
    description:
      'ID of the player in this ranking. Unique for each combination of player, division, period and gender. The ID stays the same when the rank changes.',
  })
  id!: string;

  @Field(() => ID, { description: 'ID of the player.' })
  playerId!: string;

  @Field(() => Division, { nullable: true, description: 'Division of the ranking. Null in the ranking of all divisions.' })
  division!: Division | null;

  @Field(() => String, {
    nullable: true,
    description: 'Full name, from the latest ranking points record that has a name, or else from the user.',
  })
  playerName!: string | null;

  @Field(() => Int, {
    description: 'Rank, from 1. Players with equal points have the same rank, and the following ranks are skipped.',
  })
  rank!: number;

  @Field(() => Float, { description: 'Sum of the points that count.' })
  points!: number;

  @Field(() => Boolean, { description: 'Whether another player has the same points.' })
  isTied!: boolean;

  @Field(() => Boolean, { description: 'Whether some points of the player do not count. See `droppedResults`.' })
  isAdjusted!: boolean;

  @Field(() => Int, {
    description:
      'Number of tournaments in which the player has points for this ranking. Includes tournaments whose points do not count.',
  })
  tournamentsPlayed!: number;

  @Field(() => Int, { nullable: true, description: 'Age in years. Null if the date of birth is unknown.' })
  age!: number | null;

  @Field(() => Gender, { nullable: true, description: 'Category of play.' })
  gender!: keyof typeof Gender | null;

  /** IDs of the points that count, highest first. */
  countedIds!: string[];

  /** IDs of the points that do not count, highest first. */
  droppedIds!: string[];
}

@Extensions({ edge: true })
@ObjectType({ description: 'Ranked player with a cursor.' })
class RankedPlayerEdge {
  @resolvedBy(edgeCursorResolver)
  @Field(() => String, { description: 'Cursor of the item, for `after` and `before`.' })
  cursor!: string;

  @Field(() => RankedPlayer, { description: 'The item.' })
  node!: RankedPlayer;
}

@Extensions({ connection: true })
@ObjectType({ description: 'Page of a ranking.' })
export class RankedPlayerConnection {
  @resolvedBy(connectionResolvers.nodes)
  @Field(() => [RankedPlayer], { description: 'Items of the page.' })
  nodes!: RankedPlayer[];

  @resolvedBy(connectionResolvers.edges)
  @Field(() => [RankedPlayerEdge], { description: 'Items of the page, with their cursors.' })
  edges!: RankedPlayerEdge[];

  @resolvedBy(connectionResolvers.pageInfo)
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo;

  @resolvedBy(connectionResolvers.totalCount)
  @Field(() => Int, { description: 'Total number of players in the ranking.' })
  totalCount!: number;
}
