import { initGraphQLTada } from 'gql.tada';

export type { Code, Problem } from '../kernel/declare/codes.js';
export type { Asker, CallOptions, ConnectionOptions, Token } from './connection.js';
export type { Json, ResultOf, TypedDocument } from './document.js';
export { GraphError, NoAnswer, type Refusal, ServiceError } from './errors.js';
export { type GraphClient, graphClient, type Page, type Partly } from './graph-client.js';
export type { Live, LiveEvent, SubscribeOptions } from './subscription.js';

/** Makes a typed document of its text; what the package says of it knows the graph. */
export const graphql: object = initGraphQLTada();
