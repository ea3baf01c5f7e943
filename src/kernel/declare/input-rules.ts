import type { RecordClass } from './meta.js';

/** The rules of an input type that need nothing but its values. */
interface InputRules {
  /** Throws BAD_INPUT that names all that is wrong; `path` stands before the names of the fields. */
  check(given: object, path: string): void;
}
const rules = new Map<string, InputRules>();

/**
 * Declares them, for an input type that is no twin of a record: what they reject is told together with wrong types, of which the values
 * are absent then. The mutation that takes the input calls them as well.
 */
export const heldBy =
  <T extends object>(check: (given: Partial<T>, path: string) => void) =>
  (cls: RecordClass<T>): void =>
    holdBy(cls.name, check);

/** The same for a generated input type. */
export const holdBy = <T extends object>(type: string, check: (given: Partial<T>, path: string) => void): void =>
  void rules.set(type, { check });

export const rulesOfInput = (type: string): InputRules | undefined => rules.get(type);
