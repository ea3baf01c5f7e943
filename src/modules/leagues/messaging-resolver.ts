import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { writes } from '../../kernel/declare/writes.js';
import { League } from './league.js';
import { sendLeagueEmail } from './send-league-email.js';
import { sendLeagueMessage } from './send-league-message.js';
import type { Delivery } from './send-to-players.js';

@ObjectType({ description: 'What became of a message to players.' })
export class LeagueDelivery implements Delivery {
  @Field(() => Int, { description: 'Players whom it is sent to.' })
  recipients!: number;

  @Field(() => Int, { description: 'Players left out, because their phone number or e-mail address is not known.' })
  skipped!: number;
}

const toAll = 'All of them are written to or, if one is unknown, nobody.';

@Resolver()
export class LeagueMessagingResolver {
  @writes(League)
  @Mutation(() => LeagueDelivery, { description: `Sends a text message to the phones of players. ${toAll}` })
  sendLeagueMessage(
    @Arg('userIds', () => [ID], { description: 'Ids of the players, at least one.' }) userIds: string[],
    @Arg('text', () => String, { description: 'Text, not empty, at most 1,600 characters. Sent without links.' }) text: string,
    @Ctx() context: Context,
  ): Promise<Delivery> {
    return sendLeagueMessage(context, userIds, text);
  }

  @writes(League)
  @Mutation(() => LeagueDelivery, { description: `Sends an e-mail to players. ${toAll}` })
  sendLeagueEmail(
    @Arg('userIds', () => [ID], { description: 'Ids of the players, at least one.' }) userIds: string[],
    @Arg('title', () => String, {
      description:
        'Title, at most 500 characters. The subject of a mail that a platform sends, the first paragraph of one that a user sends.',
    })
    title: string,
    @Arg('body', () => String, {
      description:
        'Plain text, not empty, at most 100,000 characters. The mail contains the first 5,000 characters, without links.',
    })
    body: string,
    @Ctx() context: Context,
  ): Promise<Delivery> {
    return sendLeagueEmail(context, userIds, title, body);
  }
}
