/** URL path of an operation of `/v1` in the reference. */
export const referencePath = (name: string): string => `/reference#${name}`;
/** URL path of GraphiQL with an example, by the name of its operation. */
export const examplePath = (name: string): string => `/graphql?example=${name}`;
/** URL path of GraphiQL with an example of a root field, by its schema coordinate, such as `Query.tournaments`. */
export const fieldExamplePath = (coordinate: string): string => `/graphql?field=${coordinate}`;
/** URL path of a root field or type in the GraphQL reference, by its schema coordinate. */
export const graphReferencePath = (coordinate: string): string => `/reference/graph/${coordinate}`;
/** URL path of GraphiQL with the equivalent of an operation of `/v1`, or with one query for several operations. */
export const graphiqlPath = (...names: readonly string[]): string => `/graphql?operation=${names.join(',')}`;
