/** GraphQL operation that a route runs. */
export interface LegacyCall {
  /** Condition under which the operation runs. Null if it always runs. */
  readonly when: string | null;
  readonly document: string;
  readonly rootFields: readonly string[];
}

export interface LegacyRoute {
  /** Method and path, such as `GET /v1/data/teams/{uuid}`. */
  readonly route: string;
  /** Operation ID in the reference, such as `getDataTeamsUuid`. */
  readonly operation: string;
  /** Path of the reference page, with a fragment. */
  readonly referencePath: string;
  /** Path of GraphiQL with the replacement query. */
  readonly graphiqlPath: string;
  readonly calls: readonly LegacyCall[];
}

/** Query that replaces several calls of routes. */
export type ReplacementQuery = Pick<LegacyRoute, 'graphiqlPath' | 'calls'>;

export interface LegacyRoutes {
  /** Returns the route with the given method and path. Null if there is no such route. */
  find(route: string): LegacyRoute | null;
  /** Returns the query that replaces calls of several routes, or repeated calls of one route. Null if no query replaces them. */
  replacementFor(routes: readonly string[]): ReplacementQuery | null;
}
