import { badInput, pathIn, reject } from '../kernel/declare/errors.js';
import type { RecordClass } from '../kernel/declare/meta.js';
import { guard } from '../kernel/declare/policy.js';
import { Problems } from '../kernel/declare/problems.js';
import { optionsOf } from '../kernel/declare/record.js';
import { maxFirst } from '../kernel/read/part.js';
import { columnsWanted } from '../kernel/read/select.js';
import type { Resolve } from '../kernel/serve/root-fields.js';

/** Most records that a router may ask for at once: as many as a list of full lists holds, because routers do not divide what they ask for. */
export const maxRepresentations: number = maxFirst ** 2;

/** The records that a subgraph resolves by their key, by the names of their types. */
export type Keyed = ReadonlyMap<string, RecordClass>;

const idProblem = (id: unknown): string | null => {
  if (typeof id !== 'string' || id === '' || id.length > 255) return 'an id of 1 to 255 characters';
  if (id.includes('\0')) return 'text without NUL characters';
  return id.isWellFormed() ? null : 'well-formed Unicode text';
};

/** The record that a representation stands for; BAD_INPUT with all that is wrong with it. */
function meantBy(keyed: Keyed, representation: unknown, path: string): { cls: RecordClass; id: string } {
  if (typeof representation !== 'object' || representation === null || Array.isArray(representation))
    return reject(path, 'an object');
  const problems = new Problems();
  const { __typename, id }: { __typename?: unknown; id?: unknown } = representation;
  const cls = typeof __typename === 'string' ? keyed.get(__typename) : undefined;
  if (!cls) problems.add(pathIn(path, '__typename'), `one of ${[...keyed.keys()].join(', ')}`);
  const wrong = idProblem(id);
  if (wrong !== null) problems.add(pathIn(path, 'id'), wrong);
  if (cls && wrong === null && typeof id === 'string') return { cls, id };
  throw badInput(problems.list);
}

/**
 * `_entities`: the records that representations stand for, in their order, those of a type in one statement. What is wrong with one, or
 * refused of it, is the answer in its place alone.
 */
export const entitiesOf =
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
      const { cls, id } = meantBy(keyed, representation, pathIn('representations', index));
      guard(optionsOf(cls).read, context.caller);
      const row = await context.loaders.one(cls, columnsOf(cls), id);
      // The type of an entity is told by it, for everybody who asks the union of all of them.
      return row && Object.defineProperty(row, '__typename', { value: cls.name });
    };
    return given.map(read);
  };
