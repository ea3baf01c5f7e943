import type { GraphQLArgument, GraphQLInputField } from 'graphql';

/** Returns the full description of an argument or input field: its extension `meaning`, or else its description in the schema. */
export const meaningOf = ({ description, extensions }: GraphQLArgument | GraphQLInputField): string =>
  typeof extensions.meaning === 'string' ? extensions.meaning : (description ?? '');
