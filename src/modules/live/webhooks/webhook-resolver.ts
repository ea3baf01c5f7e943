import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, ID, Info, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import type { RowOf } from '../../../kernel/declare/row-of.js';
import { writes } from '../../../kernel/declare/writes.js';
import { allColumns, columnsWanted } from '../../../kernel/read/select.js';
import { ping, sendAgain } from './keep-deliveries.js';
import * as keep from './keep-webhook.js';
import { Webhook } from './webhook.js';
import { confirmContact } from './webhook-contact.js';
import { WebhookDelivery } from './webhook-delivery.js';

@ObjectType({ description: 'A webhook and its secret, which is shown this once.' })
export class WebhookSecret {
  @Field(() => Webhook, { description: 'The webhook.' })
  webhook!: RowOf<Webhook>;

  @Field(() => String, {
    description: 'The secret with which deliveries are signed: `whsec_` and base64, as libraries of Standard Webhooks take it.',
  })
  secret!: string;
}

const shown = allColumns(Webhook);
const told = ({ row, secret }: keep.WithSecret): WebhookSecret => ({ webhook: row, secret });

const idOf = () => Arg('id', () => ID, { description: 'Id of the webhook.' });
const urlDescription =
  'Where deliveries are posted to: https, port 80, 443 or one from 1024 on, and a host that leads to public addresses only.';
const eventsDescription =
  'What it hears of: a record with `.created`, `.changed`, `.deleted` or `.*` behind it, such as `team.changed`. At most 100; BAD_INPUT names the records there are.';
const contactDescription =
  'E-mail address that is notified when the service pauses the webhook, at most once a day. The address must be confirmed first: the service mails a code for `confirmWebhookContact` to it. Setting an unconfirmed address again mails a new code. At most one code a day is mailed for a webhook.';
const secretArg = () =>
  Arg('secret', () => String, {
    nullable: true,
    description: 'Its secret: `whsec_` and 24 to 64 bytes in base64. One is made where none is given.',
  });

@Resolver()
export class WebhookResolver {
  @Mutation(() => WebhookSecret, {
    description:
      'Makes a webhook of the platform that asks: it hears of what is written from then on. A platform has at most 50; CONFLICT beyond.',
  })
  @writes(Webhook)
  async createWebhook(
    @Arg('url', () => String, { description: urlDescription }) url: string,
    @Arg('events', () => [String], { description: eventsDescription }) events: string[],
    @secretArg() secret: string | null | undefined,
    @Arg('contactEmail', () => String, { nullable: true, description: contactDescription }) contactEmail:
      | string
      | null
      | undefined,
    @Ctx() context: Context,
  ): Promise<WebhookSecret> {
    return told(await keep.createWebhook(context, { url, events, contactEmail }, secret, shown));
  }

  @Mutation(() => Webhook, {
    description:
      'Changes what is given of a webhook. What is in its queue already is sent to the new address. NOT_FOUND for webhooks of other platforms.',
  })
  @writes(Webhook)
  updateWebhook(
    @idOf() id: string,
    @Arg('url', () => String, { nullable: true, description: urlDescription }) url: string | null | undefined,
    @Arg('events', () => [String], { nullable: true, description: eventsDescription }) events: string[] | null | undefined,
    @Arg('contactEmail', () => String, { nullable: true, description: `${contactDescription} Null clears it.` })
    contactEmail: string | null | undefined,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Webhook>> {
    return keep.updateWebhook(context, id, { url, events, contactEmail }, columnsWanted(Webhook, info));
  }

  @Mutation(() => Webhook, {
    description:
      'Confirms the contact of a webhook with the code that was mailed to it. BAD_INPUT for a wrong code, CONFLICT if the webhook has no unconfirmed contact, NOT_FOUND for webhooks of other platforms.',
  })
  @writes(Webhook)
  confirmWebhookContact(
    @idOf() id: string,
    @Arg('code', () => String, { description: 'Code of the latest mail to the contact.' }) code: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Webhook>> {
    return confirmContact(context, id, code, columnsWanted(Webhook, info));
  }

  @Mutation(() => Webhook, {
    description:
      'Ends a webhook, with what waits to be sent to it, and returns it as it was. NOT_FOUND for webhooks of other platforms.',
  })
  @writes(Webhook)
  deleteWebhook(@idOf() id: string, @Ctx() context: Context, @Info() info: GraphQLResolveInfo): Promise<RowOf<Webhook>> {
    return keep.deleteWebhook(context, id, columnsWanted(Webhook, info));
  }

  @Mutation(() => WebhookSecret, {
    description:
      'Gives a webhook another secret. Deliveries are signed with both, the new and the one before, until that ends. NOT_FOUND for webhooks of other platforms.',
  })
  @writes(Webhook)
  async rotateWebhookSecret(
    @idOf() id: string,
    @secretArg() secret: string | null | undefined,
    @Arg('hours', () => Int, {
      defaultValue: 24,
      description: 'For how many hours the secret before signs, too: 0 to 168; 0 ends it at once.',
    })
    hours: number,
    @Ctx() context: Context,
  ): Promise<WebhookSecret> {
    return told(await keep.rotateSecret(context, id, secret, hours, shown));
  }

  @Mutation(() => Webhook, {
    description: 'Ends the secret before the present one at once; where there is none it changes nothing.',
  })
  @writes(Webhook)
  endPreviousWebhookSecret(
    @idOf() id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Webhook>> {
    return keep.endPreviousSecret(context, id, columnsWanted(Webhook, info));
  }

  @Mutation(() => Webhook, {
    description: 'Sends nothing to a webhook until it is resumed. What happens meanwhile is sent then.',
  })
  @writes(Webhook)
  pauseWebhook(@idOf() id: string, @Ctx() context: Context, @Info() info: GraphQLResolveInfo): Promise<RowOf<Webhook>> {
    return keep.pauseByHand(context, id, columnsWanted(Webhook, info));
  }

  @Mutation(() => Webhook, {
    description:
      'Has a webhook go on where it was paused. Where the log of changes does not go back that far any more, it is told so by an event `changes.missed`: whoever keeps copies reads anew.',
  })
  @writes(Webhook)
  resumeWebhook(
    @idOf() id: string,
    @Arg('skipFailed', () => Boolean, {
      defaultValue: false,
      description: 'Whether deliveries that failed are passed over, instead of being sent again.',
    })
    skipFailed: boolean,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Webhook>> {
    return keep.resumeWebhook(context, id, skipFailed, columnsWanted(Webhook, info));
  }

  @Mutation(() => WebhookDelivery, {
    description: 'Sends an event `webhook.ping` to a webhook, so that one sees whether deliveries arrive.',
  })
  @writes(Webhook)
  pingWebhook(@idOf() id: string, @Ctx() context: Context, @Info() info: GraphQLResolveInfo): Promise<RowOf<WebhookDelivery>> {
    return ping(context, id, columnsWanted(WebhookDelivery, info));
  }

  @Mutation(() => WebhookDelivery, {
    description:
      'Has a delivery sent once more, at once, with the same `webhook-id`; once it is resumed where its webhook is paused. NOT_FOUND for those of other platforms.',
  })
  @writes(Webhook)
  sendWebhookDeliveryAgain(
    @Arg('id', () => ID, { description: 'Id of the delivery.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<WebhookDelivery>> {
    return sendAgain(context, id, columnsWanted(WebhookDelivery, info));
  }
}
