import { graphql, type ResultOf } from 'courtside-sdk';

const Parts = graphql(`fragment ConsoleWebhookParts on Webhook {
  id url events contactEmail contactVerifiedAt pausedAt pauseReason pauseError previousSecretEndsAt createdAt createdBy
  platformId platform { id title }
}`);

export type Webhook = ResultOf<typeof Parts>;

export const Webhooks = graphql(
  `query ConsoleWebhooks($filter: WebhookFilter, $orderBy: [WebhookOrder!], $after: String) {
    liveCursor
    webhooks(first: 50, after: $after, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes { ...ConsoleWebhookParts deliveries(first: 0, filter: { status: { eq: PENDING } }) { totalCount } }
      pageInfo { hasNextPage endCursor }
    }
  }`,
  [Parts],
);

export const WebhookById = graphql('query ConsoleWebhook($id: ID!) { liveCursor webhook(id: $id) { ...ConsoleWebhookParts } }', [
  Parts,
]);

export const WebhookChanges = graphql(`subscription ConsoleWebhookChanges($after: String) {
  changes(records: ["Webhook"], after: $after) { kind cursor id }
}`);

/** Record types that webhook events can contain. */
export const WebhookRecordTypes = graphql('query ConsoleWebhookRecords { webhookRecords }');

export const CreateWebhook = graphql(
  `mutation ConsoleCreateWebhook($platformId: ID!, $url: String!, $events: [String!]!, $contactEmail: String) {
    createWebhook(platformId: $platformId, url: $url, events: $events, contactEmail: $contactEmail) {
      secret webhook { ...ConsoleWebhookParts }
    }
  }`,
  [Parts],
);

export const UpdateWebhook = graphql(
  `mutation ConsoleUpdateWebhook($id: ID!, $platformId: ID!, $url: String, $events: [String!], $contactEmail: String) {
    updateWebhook(id: $id, platformId: $platformId, url: $url, events: $events, contactEmail: $contactEmail) {
      ...ConsoleWebhookParts
    }
  }`,
  [Parts],
);

export const ConfirmContact = graphql(
  `mutation ConsoleConfirmWebhookContact($id: ID!, $platformId: ID!, $code: String!) {
    confirmWebhookContact(id: $id, platformId: $platformId, code: $code) { ...ConsoleWebhookParts }
  }`,
  [Parts],
);

export const RotateSecret = graphql(
  `mutation ConsoleRotateWebhookSecret($id: ID!, $platformId: ID!, $hours: Int!) {
    rotateWebhookSecret(id: $id, platformId: $platformId, hours: $hours) { secret webhook { ...ConsoleWebhookParts } }
  }`,
  [Parts],
);

export const EndPreviousSecret = graphql(
  `mutation ConsoleEndPreviousWebhookSecret($id: ID!, $platformId: ID!) {
    endPreviousWebhookSecret(id: $id, platformId: $platformId) { ...ConsoleWebhookParts }
  }`,
  [Parts],
);

export const PauseWebhook = graphql(
  `mutation ConsolePauseWebhook($id: ID!, $platformId: ID!) {
    pauseWebhook(id: $id, platformId: $platformId) { ...ConsoleWebhookParts }
  }`,
  [Parts],
);

export const ResumeWebhook = graphql(
  `mutation ConsoleResumeWebhook($id: ID!, $platformId: ID!, $skipFailed: Boolean!) {
    resumeWebhook(id: $id, platformId: $platformId, skipFailed: $skipFailed) { ...ConsoleWebhookParts }
  }`,
  [Parts],
);

export const DeleteWebhook = graphql(`mutation ConsoleDeleteWebhook($id: ID!, $platformId: ID!) {
  deleteWebhook(id: $id, platformId: $platformId) { id }
}`);

const DeliveryParts = graphql(`fragment ConsoleDeliveryParts on WebhookDelivery {
  id event eventKey recordType recordKey changedFields happenedAt status attempts httpStatus error nextAttemptAt deliveredAt
}`);

export type Delivery = ResultOf<typeof DeliveryParts>;

export const Deliveries = graphql(
  `query ConsoleDeliveries($filter: WebhookDeliveryFilter, $after: String) {
    webhookDeliveries(
      first: 20, after: $after, filter: $filter, orderBy: [{ field: CREATED_AT, direction: DESC }, { field: ID, direction: DESC }]
    ) { totalCount nodes { ...ConsoleDeliveryParts } pageInfo { hasNextPage endCursor } }
  }`,
  [DeliveryParts],
);

export const DeliveryById = graphql(
  `query ConsoleDelivery($id: ID!) {
    webhookDelivery(id: $id) {
      ...ConsoleDeliveryParts requestBody
      pastAttempts { startedAt duration httpStatus error response }
      webhook { ...ConsoleWebhookParts }
    }
  }`,
  [DeliveryParts, Parts],
);

/** Delivery with its request and its attempts. */
export type DeliveryDetails = NonNullable<ResultOf<typeof DeliveryById>['webhookDelivery']>;

export const PingWebhook = graphql(
  `mutation ConsolePingWebhook($id: ID!, $platformId: ID!) {
    pingWebhook(id: $id, platformId: $platformId) { ...ConsoleDeliveryParts }
  }`,
  [DeliveryParts],
);

export const SendDeliveryAgain = graphql(
  `mutation ConsoleSendDeliveryAgain($id: ID!, $platformId: ID!) {
    sendWebhookDeliveryAgain(id: $id, platformId: $platformId) { ...ConsoleDeliveryParts }
  }`,
  [DeliveryParts],
);
