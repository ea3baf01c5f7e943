/** Returns the URL path of a `/v1` operation in the reference. */
export const referencePath = (name: string): string => `/reference#${name}`;
/** Returns the URL path that opens an example in GraphiQL, given the name of its operation. */
export const examplePath = (name: string): string => `/graphql?example=${name}`;
/** Returns the URL path that opens an example of a root field in GraphiQL, given its schema coordinate, such as `Query.tournaments`. */
export const fieldExamplePath = (coordinate: string): string => `/graphql?field=${coordinate}`;
/** Returns the URL path of a root field or type in the GraphQL reference, given its schema coordinate. */
export const graphReferencePath = (coordinate: string): string => `/reference/graph/${coordinate}`;
/**
 * Returns the URL path that opens GraphiQL with the GraphQL equivalent of a `/v1` operation, or with one query that replaces several of them.
 */
export const graphiqlPath = (...names: readonly string[]): string => `/graphql?operation=${names.join(',')}`;
