/** A way in which a route is answered: the GraphQL that runs. */
export interface LegacyCall {
  /** In which case it runs; null where there is only one. */
  readonly when: string | null;
  readonly document: string;
  readonly rootFields: readonly string[];
}

/** A route of the legacy interface, as those know it who count its calls and announce its end. */
export interface LegacyRoute {
  /** Such as `GET /v1/data/teams/{uuid}`. */
  readonly route: string;
  /** What the reference calls it: `getDataTeamsUuid`. */
  readonly operation: string;
  /** Addresses of this service. */
  readonly referencePath: string;
  readonly graphiqlPath: string;
  readonly calls: readonly LegacyCall[];
}

/** One query that does what several calls of routes do. */
export type OneQuery = Pick<LegacyRoute, 'graphiqlPath' | 'calls'>;

/** The routes of the legacy interface. */
export interface LegacyRoutes {
  /** Null for what is none of them. */
  of(route: string): LegacyRoute | null;
  /** What could be asked instead of calling routes together, a route that stands there alone being called twice; null where no query does that. */
  asOne(routes: readonly string[]): OneQuery | null;
}
