import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allowWriters } from '../../kernel/declare/policy/writes.js';
import { League } from './league.js';
import { type DeliveryCounts, sendLeagueEmail, sendLeagueMessage } from './message-players.js';

@ObjectType({ description: 'Result of sending a message to players.' })
export class LeagueDelivery implements DeliveryCounts {
  @Field(() => Int, { description: 'Number of players that the message is sent to.' })
  recipients!: number;

  @Field(() => Int, {
    description:
      'Number of players who were skipped because they have no phone number or email address, or have reached their message limit.',
  })
  skipped!: number;
}

const unknownPlayerRule = 'BAD_INPUT if a player is unknown. If so, no message is sent.';

@Resolver()
export class LeagueMessagingResolver {
  @allowWriters(League)
  @Mutation(() => LeagueDelivery, { description: `Sends a text message to the phones of players. ${unknownPlayerRule}` })
  sendLeagueMessage(
    @Arg('userIds', () => [ID], { description: 'IDs of the players, at least one.' }) userIds: string[],
    @Arg('text', () => String, { description: 'Text, 1 to 1,600 characters. Links in it are not clickable.' }) text: string,
    @Ctx() context: Context,
  ): Promise<DeliveryCounts> {
    return sendLeagueMessage(context, userIds, text);
  }

  @allowWriters(League)
  @Mutation(() => LeagueDelivery, { description: `Sends an email to players. ${unknownPlayerRule}` })
  sendLeagueEmail(
    @Arg('userIds', () => [ID], { description: 'IDs of the players, at least one.' }) userIds: string[],
    @Arg('title', () => String, {
      description:
        'Title, at most 500 characters. It becomes the subject of emails that a platform sends without a user token, and the first paragraph of other emails.',
    })
    title: string,
    @Arg('body', () => String, {
      description:
        'Plain text, 1 to 100,000 characters. The email contains the first 5,000 characters. Links in it are not clickable.',
    })
    body: string,
    @Ctx() context: Context,
  ): Promise<DeliveryCounts> {
    return sendLeagueEmail(context, userIds, title, body);
  }
}
