import { Extensions } from 'type-graphql';

interface Described {
  readonly description?: string | null | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/**
 * Decorator: describes a generated argument or filter field. The text appears on the reference pages, but not in the schema, where it would repeat
 * the description of a field or a type.
 */
export const meaning = (text: string): PropertyDecorator => Extensions({ meaning: text });

/** Returns the description of an argument or field: the text of `meaning`, or else the description in the schema. */
export const meaningOf = ({ description, extensions }: Described): string =>
  typeof extensions.meaning === 'string' ? extensions.meaning : (description ?? '');
