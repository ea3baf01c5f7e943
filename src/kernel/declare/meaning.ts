import { Extensions } from 'type-graphql';

interface Described {
  readonly description?: string | null | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/**
 * Decorator: describes a generated argument or filter field in the references of `/v1` and of the graph only. The schema leaves the text out,
 * because it repeats the description of a field or a type.
 */
export const meaning = (text: string): PropertyDecorator => Extensions({ meaning: text });

/** Texts like those of `meaning` for enum values and arguments, which cannot be decorated, by coordinate: `Query.team.id`. */
export const meaningsByCoordinate = new Map<string, string>();

/** Full description of an argument or field, including a text that the schema leaves out. */
export const meaningOf = ({ description, extensions }: Described): string =>
  typeof extensions.meaning === 'string' ? extensions.meaning : (description ?? '');
