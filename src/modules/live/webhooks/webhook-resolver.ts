import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, ArgsType, Ctx, Field, ID, Info, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow, platform, superAdmin } from '../../../kernel/declare/policy/policy.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { allColumns, selectedColumns } from '../../../kernel/read/select.js';
import type { ActingPlatform, WebhookReference } from './change-webhook.js';
import * as webhooks from './save-webhook.js';
import { Webhook } from './webhook.js';
import { confirmContact } from './webhook-contact.js';
import { pingWebhook, resendDelivery } from './webhook-deliveries.js';
import { WebhookDelivery } from './webhook-delivery.js';
import { eventRecords } from './webhook-events.js';

@ObjectType({ description: 'Webhook and its new secret. The secret is returned only once.' })
export class WebhookSecret {
  @Field(() => Webhook, { description: 'Webhook.' })
  webhook!: RowOf<Webhook>;

  @Field(() => String, {
    description: 'Secret that signs deliveries: `whsec_` followed by base64, as Standard Webhooks libraries expect it.',
  })
  secret!: string;
}

const visibleColumns = allColumns(Webhook);
const toWebhookSecret = ({ row, secret }: webhooks.WebhookWithSecret): WebhookSecret => ({ webhook: row, secret });

const platformIdField = () =>
  Field(() => ID, {
    nullable: true,
    description: 'ID of the platform that the webhook belongs to. Default: the calling platform.',
  });

@ArgsType()
class ActingPlatformArguments implements ActingPlatform {
  @platformIdField()
  platformId?: string | null;
}

@ArgsType()
class WebhookArguments implements WebhookReference {
  @Field(() => ID, { description: 'ID of the webhook.' })
  id!: string;

  @platformIdField()
  platformId?: string | null;
}

@ArgsType()
class DeliveryArguments implements WebhookReference {
  @Field(() => ID, { description: 'ID of the delivery.' })
  id!: string;

  @platformIdField()
  platformId?: string | null;
}

const urlDescription =
  'URL that deliveries are posted to. It must use HTTPS and port 80, 443 or 1024 to 65535. All IP addresses of its host must be public.';
const eventsDescription =
  'Events to send: a record followed by `.created`, `.changed`, `.deleted` or `.*`, such as `team.changed`. 1 to 100 events. `webhookRecords` lists the records. BAD_INPUT: an event is unknown.';
const contactDescription =
  'Email address that is notified when the service pauses the webhook, at most once a day. The address must be confirmed first: the service emails a code for `confirmWebhookContact` to it. Setting an unconfirmed address again emails a new code. The service emails at most one code per day and webhook.';
const secretArg = () =>
  Arg('secret', () => String, {
    nullable: true,
    description: 'Secret: `whsec_` and 24 to 64 bytes in base64. Defaults to a random secret.',
  });

@Resolver()
export class WebhookResolver {
  @Query(() => [String], {
    nullable: true,
    description: 'Record names that webhook events can contain, such as `team` for the events `team.changed` and `team.*`.',
  })
  @allow(platform, superAdmin)
  webhookRecords(): string[] {
    return eventRecords();
  }

  @Mutation(() => WebhookSecret, {
    description:
      'Creates a webhook for a platform. The webhook receives all later changes. CONFLICT: the platform already has 50 webhooks.',
  })
  @allowWriters(Webhook)
  async createWebhook(
    @Arg('url', () => String, { description: urlDescription }) url: string,
    @Arg('events', () => [String], { description: eventsDescription }) events: string[],
    @secretArg() secret: string | null | undefined,
    @Arg('contactEmail', () => String, { nullable: true, description: contactDescription }) contactEmail:
      | string
      | null
      | undefined,
    @Args(() => ActingPlatformArguments) { platformId }: ActingPlatform,
    @Ctx() context: Context,
  ): Promise<WebhookSecret> {
    return toWebhookSecret(
      await webhooks.createWebhook(context, { url, events, contactEmail, platformId }, secret, visibleColumns),
    );
  }

  @Mutation(() => Webhook, {
    description:
      'Updates the provided values of a webhook. Pending deliveries are sent to the new URL. NOT_FOUND: unknown ID, or a webhook of another platform.',
  })
  @allowWriters(Webhook)
  updateWebhook(
    @Args(() => WebhookArguments) key: WebhookReference,
    @Arg('url', () => String, { nullable: true, description: urlDescription }) url: string | null | undefined,
    @Arg('events', () => [String], { nullable: true, description: eventsDescription }) events: string[] | null | undefined,
    @Arg('contactEmail', () => String, { nullable: true, description: `${contactDescription} Null clears it.` })
    contactEmail: string | null | undefined,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Webhook>> {
    return webhooks.updateWebhook(context, key, { url, events, contactEmail }, selectedColumns(Webhook, info));
  }

  @Mutation(() => Webhook, {
    description:
      'Confirms the contact of a webhook with the code that was mailed to it. BAD_INPUT: wrong code. CONFLICT: the webhook has no unconfirmed contact. NOT_FOUND: unknown ID, or a webhook of another platform.',
  })
  @allowWriters(Webhook)
  confirmWebhookContact(
    @Args(() => WebhookArguments) key: WebhookReference,
    @Arg('code', () => String, { description: 'Code from the latest email to the contact.' }) code: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Webhook>> {
    return confirmContact(context, key, code, selectedColumns(Webhook, info));
  }

  @Mutation(() => Webhook, {
    description:
      'Deletes a webhook and its deliveries. Returns the deleted webhook. NOT_FOUND: unknown ID, or a webhook of another platform.',
  })
  @allowWriters(Webhook)
  deleteWebhook(
    @Args(() => WebhookArguments) key: WebhookReference,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Webhook>> {
    return webhooks.deleteWebhook(context, key, selectedColumns(Webhook, info));
  }

  @Mutation(() => WebhookSecret, {
    description:
      'Replaces the secret of a webhook. Deliveries are signed with both the new and the previous secret until the previous one expires. NOT_FOUND: unknown ID, or a webhook of another platform.',
  })
  @allowWriters(Webhook)
  async rotateWebhookSecret(
    @Args(() => WebhookArguments) key: WebhookReference,
    @secretArg() secret: string | null | undefined,
    @Arg('hours', () => Int, {
      defaultValue: 24,
      description: 'Hours until the previous secret expires, 0 to 168. With 0, it expires immediately.',
    })
    hours: number,
    @Ctx() context: Context,
  ): Promise<WebhookSecret> {
    return toWebhookSecret(await webhooks.rotateSecret(context, key, secret, hours, visibleColumns));
  }

  @Mutation(() => Webhook, {
    description: 'Invalidates the previous secret of a webhook immediately. Idempotent.',
  })
  @allowWriters(Webhook)
  endPreviousWebhookSecret(
    @Args(() => WebhookArguments) key: WebhookReference,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Webhook>> {
    return webhooks.endPreviousSecret(context, key, selectedColumns(Webhook, info));
  }

  @Mutation(() => Webhook, {
    description: 'Pauses a webhook. Events that happen while it is paused are sent once it is resumed.',
  })
  @allowWriters(Webhook)
  pauseWebhook(
    @Args(() => WebhookArguments) key: WebhookReference,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Webhook>> {
    return webhooks.pauseOnRequest(context, key, selectedColumns(Webhook, info));
  }

  @Mutation(() => Webhook, {
    description:
      'Resumes a webhook where it was paused. If the change log no longer contains all changes since then, the event `changes.missed` is sent. Receivers that replicate data must then read all records again.',
  })
  @allowWriters(Webhook)
  resumeWebhook(
    @Args(() => WebhookArguments) key: WebhookReference,
    @Arg('skipFailed', () => Boolean, {
      defaultValue: false,
      description: 'Whether to skip failed deliveries instead of sending them again.',
    })
    skipFailed: boolean,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Webhook>> {
    return webhooks.resumeWebhook(context, key, skipFailed, selectedColumns(Webhook, info));
  }

  @Mutation(() => WebhookDelivery, {
    description: 'Sends the event `webhook.ping` to a webhook, to test whether deliveries arrive.',
  })
  @allowWriters(Webhook)
  pingWebhook(
    @Args(() => WebhookArguments) key: WebhookReference,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<WebhookDelivery>> {
    return pingWebhook(context, key, selectedColumns(WebhookDelivery, info));
  }

  @Mutation(() => WebhookDelivery, {
    description:
      'Sends a delivery again immediately, with the same `webhook-id`. If the webhook is paused, the delivery is sent once the webhook is resumed. NOT_FOUND: unknown ID, or a delivery of another platform.',
  })
  @allowWriters(Webhook)
  sendWebhookDeliveryAgain(
    @Args(() => DeliveryArguments) key: WebhookReference,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<WebhookDelivery>> {
    return resendDelivery(context, key, selectedColumns(WebhookDelivery, info));
  }
}
