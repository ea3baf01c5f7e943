import { camel, type Keys } from './keys.js';
import type { Shape } from './shapes.js';

/** Where a field lives in the graph: one dotted path, or two where reading and writing differ. */
export type Path = string | { readonly read: string; readonly write: string };

/** What a legacy record is: a rule and its exceptions. */
export interface Rule {
  /** The graph's object type, from which responses are made; a record that is only ever sent has none. */
  readonly type?: string;
  /** The graph's input type, which requests become; a record that is only ever returned has none. */
  readonly input?: string;
  /** From a legacy key to its graph field; `camel` unless said otherwise. */
  readonly keys?: Keys;
  /** The legacy names in the order of the interface document, between spaces. */
  readonly fields: string;
  /**
   * Fields whose place does not follow from the key, dotted for nested objects: `'location.city'`, `'images(first: 100).nodes'`.
   */
  readonly paths?: Readonly<Record<string, Path>>;
  /** The field that says whose a record is: a request that leaves it out leaves it as it is, and only one that clears it clears it. */
  readonly owner?: string;
  /** Fields whose form does not follow from the graph's type: one shape, or several from the inside out. */
  readonly as?: Readonly<Record<string, Shape | readonly Shape[]>>;
}

/** A legacy record before it meets a schema. Its name is that of its fragment. */
export interface LegacyRecord extends Omit<Rule, 'fields' | 'keys'> {
  readonly name: string;
  readonly fields: readonly string[];
  readonly keys: Keys;
}

/** Declares a legacy record. The table is checked against the graph when the service starts. */
export const record = (name: string, rule: Rule): LegacyRecord => ({
  keys: camel,
  ...rule,
  name,
  fields: rule.fields.split(/\s+/).filter(Boolean),
});

/** One shape or path for many fields: `as: { ...each('dateCreated dateUpdated', readOnly) }`. */
export const each = <T>(fields: string, same: T): Record<string, T> =>
  Object.fromEntries(
    fields
      .split(/\s+/)
      .filter(Boolean)
      .map((field) => [field, same]),
  );
