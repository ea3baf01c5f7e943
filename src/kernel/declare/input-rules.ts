import type { RecordClass } from './meta.js';

/** Validation rules of an input type. The rules depend only on the values of the input. */
interface InputRules {
  /** Throws BAD_INPUT with all problems. `path` is the prefix of the field names. */
  check(values: object, path: string): void;
}
const rules = new Map<string, InputRules>();

/**
 * Decorator: declares the validation rules of an input type that is not derived from a record. The problems are reported together with type
 * errors. `check` does not receive values of the wrong type. The mutation must also check the rules.
 */
export const validatedBy =
  <T extends object>(check: (values: Partial<T>, path: string) => void) =>
  (cls: RecordClass<T>): void =>
    addInputRules(cls.name, check);

/** Like `validatedBy`, for a generated input type, which has no class. */
export const addInputRules = <T extends object>(type: string, check: (values: Partial<T>, path: string) => void): void =>
  void rules.set(type, { check });

export const rulesOfInput = (type: string): InputRules | undefined => rules.get(type);
