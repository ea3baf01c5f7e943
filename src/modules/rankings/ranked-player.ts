import { Extensions, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../../kernel/serve/connection.js';
import { Gender } from '../accounts/user.js';
import { Division } from './division.js';

@ObjectType({ description: 'A player with a place in a ranking.' })
export class RankedPlayer {
  @Field(() => ID, {
    description:
      'ID of the player in this ranking. Unique for a player and the division, period and gender of the ranking. It stays the same when the rank changes.',
  })
  id!: string;

  @Field(() => ID, { description: 'Id of the player.' })
  playerId!: string;

  @Field(() => Division, { nullable: true, description: 'Whose ranking it is a place in; null in that of all divisions.' })
  division!: Division | null;

  @Field(() => String, {
    nullable: true,
    description: "Full name, as the player's latest points tell it, else as the user's record does.",
  })
  playerName!: string | null;

  @Field(() => Int, { description: 'Place, from 1. Equal points share a place, and the next one is skipped.' })
  rank!: number;

  @Field(() => Float, { description: 'Sum of the points that count.' })
  points!: number;

  @Field(() => Boolean, { description: 'Another player has the same points.' })
  isTied!: boolean;

  @Field(() => Boolean, { description: 'Some of the points do not count.' })
  isAdjusted!: boolean;

  @Field(() => Int, { description: 'How many tournaments were played within the ranking, whether their points count or not.' })
  tournamentsPlayed!: number;

  @Field(() => Int, { nullable: true, description: 'Age in years; null where the date of birth is not known.' })
  age!: number | null;

  @Field(() => Gender, { nullable: true, description: 'Category of play.' })
  gender!: keyof typeof Gender | null;

  /** Ids of the points that count and of those that do not, most points first. */
  countedIds!: string[];
  droppedIds!: string[];
}

@Extensions({ edge: true })
@ObjectType({ description: 'A ranked player with its place in the list.' })
class RankedPlayerEdge {
  @Field(() => String, { description: 'Marks this place in the list: `after` goes on behind it, `before` ends in front of it.' })
  cursor!: string;

  @Field(() => RankedPlayer, { description: 'The item.' })
  node!: RankedPlayer;
}

@Extensions({ connection: true })
@ObjectType({ description: 'A page of a ranking.' })
export class RankedPlayerConnection {
  @Field(() => [RankedPlayer], { description: 'The items of this page.' })
  nodes!: RankedPlayer[];

  @Field(() => [RankedPlayerEdge], { description: 'The items of this page, each with its cursor.' })
  edges!: RankedPlayerEdge[];

  @Field(() => PageInfo, { description: 'Where in the list this page stands.' })
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'How many players the whole ranking has.' })
  totalCount!: number;
}
