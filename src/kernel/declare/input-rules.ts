import type { RecordClass } from './meta.js';

/** Validation rules of an input type. They depend only on its values. */
interface InputRules {
  /** Throws BAD_INPUT with all problems. `path` is the prefix of the field names. */
  check(values: object, path: string): void;
}
const rules = new Map<string, InputRules>();

/**
 * Declares validation rules of an input type that is not derived from a record. Their problems are reported together with values of the wrong
 * type, which are absent from the checked input. The mutation must call the rules, too.
 */
export const validatedBy =
  <T extends object>(check: (given: Partial<T>, path: string) => void) =>
  (cls: RecordClass<T>): void =>
    addInputRules(cls.name, check);

/** Like `validatedBy`, for a generated input type, which has no class to decorate. */
export const addInputRules = <T extends object>(type: string, check: (given: Partial<T>, path: string) => void): void =>
  void rules.set(type, { check });

export const rulesOfInput = (type: string): InputRules | undefined => rules.get(type);
