import { graphql, type ResultOf } from 'courtside-sdk';

const DeprecationFields = graphql(`fragment ConsoleDeprecation on Deprecation {
  id route platformId deprecatedAt sunsetAt text link rehearsalBeginsAt rehearsalMinutes platform { id title }
}`);

export type Deprecation = ResultOf<typeof DeprecationFields>;

export const DeprecationSearch = graphql(
  `query ConsoleDeprecations($filter: DeprecationFilter, $after: String) {
    liveCursor
    deprecations(first: 50, after: $after, filter: $filter, orderBy: [{ field: SUNSET_AT }, { field: ROUTE }]) {
      nodes { ...ConsoleDeprecation } pageInfo { hasNextPage endCursor }
    }
  }`,
  [DeprecationFields],
);
export const DeprecationChanges = graphql(`subscription ConsoleDeprecationChanges($after: String) {
  changes(records: ["Deprecation"], after: $after) { kind cursor id }
}`);
export const DeprecateRoute = graphql(
  `mutation ConsoleDeprecateRoute($input: DeprecationInput!, $isNew: Boolean!) {
    deprecateRoute(input: $input, keepsExisting: $isNew) { ...ConsoleDeprecation }
  }`,
  [DeprecationFields],
);
export const UndoDeprecation = graphql('mutation ConsoleUndoDeprecation($id: ID!) { undoDeprecation(id: $id) { id } }');
/** Routes that have been called, as suggestions. */
export const CalledRoutes = graphql('query ConsoleCalledRoutes { platformUsage { routes { route } } }');

/** Values of a deprecation in a form. Instants are in UTC. Absent values are empty. */
export interface DeprecationValues {
  readonly route: string;
  readonly platformId: string;
  readonly deprecatedAt: string;
  readonly sunsetAt: string;
  readonly text: string;
  readonly link: string;
  readonly rehearsalBeginsAt: string;
  readonly rehearsalMinutes: string;
}

export const valuesOf = (deprecation: Deprecation): DeprecationValues => ({
  route: deprecation.route,
  platformId: deprecation.platformId ?? '',
  deprecatedAt: deprecation.deprecatedAt,
  sunsetAt: deprecation.sunsetAt ?? '',
  text: deprecation.text,
  link: deprecation.link ?? '',
  rehearsalBeginsAt: deprecation.rehearsalBeginsAt ?? '',
  rehearsalMinutes: String(deprecation.rehearsalMinutes),
});

/** Converts values of a form to the input of a mutation. */
export const deprecationInputOf = ({
  route,
  rehearsalMinutes,
  ...rest
}: Pick<DeprecationValues, 'route'> & Partial<DeprecationValues>) => ({
  ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, value.trim() || null])),
  route: route.trim(),
  ...(rehearsalMinutes !== undefined && { rehearsalMinutes: rehearsalMinutes === '' ? null : Number(rehearsalMinutes) }),
});
