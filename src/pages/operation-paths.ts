/** Where the reference describes an operation of `/v1`. */
export const referencePath = (name: string): string => `/reference#${name}`;
/** Where GraphiQL opens with the GraphQL of an operation of `/v1`, or with one query for several of them. */
export const graphiqlPath = (...names: readonly string[]): string => `/graphql?operation=${names.join(',')}`;
