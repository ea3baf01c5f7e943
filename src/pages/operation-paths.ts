/** Where the reference describes an operation of `/v1`. */
export const referencePath = (name: string): string => `/reference#${name}`;
/** Where GraphiQL opens with an example, by the name of its operation. */
export const examplePath = (name: string): string => `/graphql?example=${name}`;
/** Where GraphiQL opens with an example of a root field, by its schema coordinate, such as `Query.tournaments`. */
export const fieldExamplePath = (coordinate: string): string => `/graphql?field=${coordinate}`;
/** Where the reference of the graph describes a type or a root field, by its schema coordinate. */
export const graphReferencePath = (coordinate: string): string => `/reference/graph/${coordinate}`;
/** Where GraphiQL opens with the GraphQL of an operation of `/v1`, or with one query for several of them. */
export const graphiqlPath = (...names: readonly string[]): string => `/graphql?operation=${names.join(',')}`;
