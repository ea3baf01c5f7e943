/** Data of the tasks: queries, lists, mutations and subscriptions. Tasks import only this file and `graphql` of the SDK. */

export { type Mutation, type Outcome, useMutation, useQueryOnRequest, useSubscription } from './changes.ts';
export { conflictFailure, type Failure, failureOf, problemOf, withLabels } from './failure.ts';
export { useReloadOnChange } from './live.ts';
export { type List, listOf, type Query, useList, useQuery } from './queries.ts';
export { useRefresh } from './refresh.ts';
export { hasRole, type Session, useSession, type Viewer } from './session.ts';
