import { graphql, type ResultOf } from 'courtside-sdk';

const PlatformFields = graphql(`fragment ConsolePlatform on Platform {
  id title domain isEnabled allowedOrigins previousTokenEndsAt createdAt createdBy updatedAt updatedBy viewerCan { update }
}`);

export type Platform = ResultOf<typeof PlatformFields>;

export const LimitsQuery = graphql(`query ConsolePlatformLimits($id: ID!) {
  platform(id: $id) { limits { limit description maximum period } }
}`);

export type Limit = NonNullable<NonNullable<ResultOf<typeof LimitsQuery>['platform']>['limits']>[number];

export const PlatformSearch = graphql(
  `query ConsolePlatforms($filter: PlatformFilter, $orderBy: [PlatformOrder!], $after: String) {
    liveCursor
    platforms(first: 50, after: $after, filter: $filter, orderBy: $orderBy) {
      nodes { ...ConsolePlatform } pageInfo { hasNextPage endCursor }
    }
  }`,
  [PlatformFields],
);
export const PlatformById = graphql('query ConsolePlatform($id: ID!) { liveCursor platform(id: $id) { ...ConsolePlatform } }', [
  PlatformFields,
]);
export const CreatePlatform = graphql(
  'mutation ConsoleCreatePlatform($input: PlatformInput!) { createPlatform(input: $input) { token platform { ...ConsolePlatform } } }',
  [PlatformFields],
);
export const UpdatePlatform = graphql(
  'mutation ConsoleUpdatePlatform($id: ID!, $input: PlatformInput!) { updatePlatform(id: $id, input: $input) { ...ConsolePlatform } }',
  [PlatformFields],
);
export const RenewToken = graphql(
  'mutation ConsoleRenewToken($id: ID!, $hours: Int!) { renewPlatformToken(id: $id, hours: $hours) { token platform { ...ConsolePlatform } } }',
  [PlatformFields],
);
export const EndPreviousToken = graphql(
  'mutation ConsoleEndPreviousToken($id: ID!) { endPreviousPlatformToken(id: $id) { ...ConsolePlatform } }',
  [PlatformFields],
);

export const KeyList = graphql(`query ConsoleKeys($platformId: ID!, $after: String) {
  publishableKeys(
    first: 20, after: $after, filter: { platformId: { eq: $platformId } }, orderBy: [{ field: CREATED_AT, direction: DESC }]
  ) {
    nodes { id label hint allowedOrigins revokedAt createdAt createdBy } pageInfo { hasNextPage endCursor }
  }
}`);
export const CreateKey = graphql(`mutation ConsoleCreateKey($input: PublishableKeyInput!) {
  createPublishableKey(input: $input) { key publishableKey { id } }
}`);
export const UpdateKey = graphql(`mutation ConsoleUpdateKey($id: ID!, $input: PublishableKeyUpdateInput!) {
  updatePublishableKey(id: $id, input: $input) { id label allowedOrigins }
}`);
export const RevokeKey = graphql('mutation ConsoleRevokeKey($id: ID!) { revokePublishableKey(id: $id) { id revokedAt } }');

export type PublishableKey = NonNullable<ResultOf<typeof KeyList>['publishableKeys']>['nodes'][number];
