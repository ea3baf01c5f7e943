/** Where the reference describes an operation of `/v1`. */
export const referencePath = (name: string): string => `/reference#${name}`;
/** Where GraphiQL opens with the GraphQL of an operation of `/v1`. */
export const graphiqlPath = (name: string): string => `/graphql?operation=${name}`;
