import type { GraphQLArgument, GraphQLInputField } from 'graphql';

/** Description of an argument or input field: the extension `meaning`, or else the description in the schema, which omits repeated texts. */
export const meaningOf = ({ description, extensions }: GraphQLArgument | GraphQLInputField): string =>
  typeof extensions.meaning === 'string' ? extensions.meaning : (description ?? '');
