import { initGraphQLTada } from 'gql.tada';

export type { Code, Problem } from '../kernel/declare/scalars/codes.js';
export type { CallOptions, ConnectionOptions, Credentials, Token } from './connection.js';
export type { Json, OnlyKnownFields, ResultOf, TypedDocument } from './document.js';
export { type GraphQLError, GraphQLRequestError, NetworkError, ServiceError } from './errors.js';
export { createGraphQLClient, type GraphQLClient, type Page, type PartialResult } from './graph-client.js';
export type { LiveEvent, SubscribeOptions, SubscriptionResult } from './subscription.js';

/** Parses a GraphQL document into a typed document. The package declares the type of this function, which is generated from the schema. */
export const graphql: object = initGraphQLTada();
