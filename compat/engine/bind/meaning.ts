import type { GraphQLArgument, GraphQLInputField } from 'graphql';

/** Description of an argument or input field. The schema leaves repeated texts out; then the extension `meaning` has them. */
export const meaningOf = ({ description, extensions }: GraphQLArgument | GraphQLInputField): string =>
  typeof extensions.meaning === 'string' ? extensions.meaning : (description ?? '');
