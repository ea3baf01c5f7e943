import { badInput, pathIn, reject } from '../kernel/declare/errors.js';
import type { Resolve } from '../kernel/declare/generated.js';
import type { RecordClass } from '../kernel/declare/meta.js';
import { guard } from '../kernel/declare/policy.js';
import { Problems } from '../kernel/declare/problems.js';
import { optionsOf } from '../kernel/declare/record.js';
import { maxFirst } from '../kernel/read/part.js';
import { columnsWanted } from '../kernel/read/select.js';
import { secondKeysOf } from './second-keys.js';

/** Most records that a router may ask for at once: as many as a list of full lists holds, because routers do not divide what they ask for. */
export const maxRepresentations: number = maxFirst ** 2;

/** The records that a subgraph resolves by their key, by the names of their types. */
export type Keyed = ReadonlyMap<string, RecordClass>;

/** Most characters of a text that is a key. */
const longestText = 1000;

function problemOf(value: unknown, what: string, most: number): string | null {
  if (typeof value !== 'string' || value === '' || value.length > most) return `${what} of 1 to ${most} characters`;
  if (value.includes('\0')) return 'text without NUL characters';
  return value.isWellFormed() ? null : 'well-formed Unicode text';
}

interface Meant {
  cls: RecordClass;
  /** The field that is the key, and its value. */
  by: string;
  value: string;
}

/** The record that a representation stands for, by its id or else by another key of its; BAD_INPUT with all that is wrong with it. */
function meantBy(keyed: Keyed, representation: unknown, path: string): Meant {
  if (typeof representation !== 'object' || representation === null || Array.isArray(representation))
    return reject(path, 'an object');
  const problems = new Problems();
  const given: { __typename?: unknown; id?: unknown } = representation;
  const cls = typeof given.__typename === 'string' ? keyed.get(given.__typename) : undefined;
  if (!cls) problems.add(pathIn(path, '__typename'), `one of ${[...keyed.keys()].join(', ')}`);
  const values = new Map<string, unknown>(Object.entries(given));
  const other = cls && !values.has('id') ? secondKeysOf(cls).find(({ name }) => values.has(name)) : undefined;
  const by = other?.name ?? 'id';
  const value = values.get(by);
  const wrong = other ? problemOf(value, 'a text', longestText) : problemOf(value, 'an id', 255);
  if (wrong !== null) problems.add(pathIn(path, by), wrong);
  if (cls && wrong === null && typeof value === 'string')
    return { cls, by, value: other?.capitals ? value.toUpperCase() : value };
  throw badInput(problems.list);
}

/**
 * `_entities`: the records that representations stand for, in their order, those of a type in one statement. What is wrong with one, or
 * refused of it, is the answer in its place alone.
 */
export const resolveEntities =
  (keyed: Keyed): Resolve =>
  (_, { representations }, context, info) => {
    const given: readonly unknown[] = representations;
    if (given.length > maxRepresentations) reject('representations', `at most ${maxRepresentations} of them`);
    const columns = new Map<RecordClass, readonly string[]>();
    const columnsOf = (cls: RecordClass): readonly string[] => {
      const known = columns.get(cls) ?? columnsWanted(cls, info);
      columns.set(cls, known);
      return known;
    };
    const read = async (representation: unknown, index: number) => {
      const { cls, by, value } = meantBy(keyed, representation, pathIn('representations', index));
      guard(optionsOf(cls).read, context.caller);
      const row = await context.loaders.one(cls, columnsOf(cls), value, by);
      // The type of an entity is told by it, for everybody who asks the union of all of them.
      return row && Object.defineProperty(row, '__typename', { value: cls.name });
    };
    return given.map(read);
  };
