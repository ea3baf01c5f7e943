import { badInputError, pathIn, reject } from '../../kernel/declare/errors.js';
import type { Resolve } from '../../kernel/declare/fields/generated.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { guard } from '../../kernel/declare/policy/policy.js';
import { Problems } from '../../kernel/declare/problems.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { maxFirst } from '../../kernel/read/paging/page-args.js';
import { selectedColumns } from '../../kernel/read/select.js';
import { alternateKeysOf } from './ownership.js';

/** Maximum number of entities in one request: a full page of items, each with a full page of nested items. Routers do not split requests. */
const maxRepresentations: number = maxFirst ** 2;

/** Record classes of the entities that a subgraph resolves, keyed by type name. */
type EntityClasses = ReadonlyMap<string, RecordClass>;

/** Maximum length of a text key in characters. */
const maxKeyLength = 1000;

function problemOf(value: unknown, subject: string, maxLength: number): string | null {
  if (typeof value !== 'string' || value === '' || value.length > maxLength) return `${subject} of 1 to ${maxLength} characters`;
  if (value.includes('\0')) return 'text without NUL characters';
  return value.isWellFormed() ? null : 'well-formed Unicode text';
}

interface EntityReference {
  cls: RecordClass;
  /** Name of the key field. */
  key: string;
  value: string;
}

/**
 * Resolves a representation to a record class and key. The key is the ID or an alternate key. Throws BAD_INPUT with all problems.
 */
function parseRepresentation(entityClasses: EntityClasses, representation: unknown, path: string): EntityReference {
  if (typeof representation !== 'object' || representation === null || Array.isArray(representation))
    return reject(path, 'an object');
  const problems = new Problems();
  const fields: { __typename?: unknown; id?: unknown } = representation;
  const cls = typeof fields.__typename === 'string' ? entityClasses.get(fields.__typename) : undefined;
  if (!cls) problems.add(pathIn(path, '__typename'), `one of ${[...entityClasses.keys()].join(', ')}`);
  const values = new Map<string, unknown>(Object.entries(fields));
  const alternateKey = cls && !values.has('id') ? alternateKeysOf(cls).find(({ name }) => values.has(name)) : undefined;
  const key = alternateKey?.name ?? 'id';
  const value = values.get(key);
  const keyProblem = alternateKey ? problemOf(value, 'a string', maxKeyLength) : problemOf(value, 'an id', 255);
  if (keyProblem !== null) problems.add(pathIn(path, key), keyProblem);
  if (cls && keyProblem === null && typeof value === 'string')
    return { cls, key, value: alternateKey?.isUpperCase ? value.toUpperCase() : value };
  throw badInputError(problems.list);
}

/**
 * Creates the resolver for `_entities`. It returns the records in the order of the representations, and reads them with one statement per
 * type and key field. An error affects only its own entity.
 */
export const resolveEntities =
  (entityClasses: EntityClasses): Resolve =>
  (_, { representations }, context, info) => {
    const references: readonly unknown[] = representations;
    if (references.length > maxRepresentations) reject('representations', `at most ${maxRepresentations} items`);
    const columns = new Map<RecordClass, readonly string[]>();
    const columnsOf = (cls: RecordClass): readonly string[] => {
      const names = columns.get(cls) ?? selectedColumns(cls, info);
      columns.set(cls, names);
      return names;
    };
    const resolveOne = async (representation: unknown, index: number) => {
      const { cls, key, value } = parseRepresentation(entityClasses, representation, pathIn('representations', index));
      guard(optionsOf(cls).read, context.caller);
      const row = await context.loaders.loadRow(cls, columnsOf(cls), value, key);
      // The union `_Entity` reads the type of an entity from this property.
      return row && Object.defineProperty(row, '__typename', { value: cls.name });
    };
    return references.map(resolveOne);
  };
