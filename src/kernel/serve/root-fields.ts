import { ID } from 'type-graphql';
import { expectedWithoutNul, reject } from '../declare/errors.js';
import type { FieldSpec, GeneratedField, InputValueSpec, InputValues } from '../declare/fields/generated.js';
import type { RecordOptions, RootField } from '../declare/fields/options.js';
import { memoize } from '../declare/memoize.js';
import type { RecordClass } from '../declare/meta.js';
import type { Policy } from '../declare/policy/policy.js';
import { ownerRestrictionOf, policiesOfWriters } from '../declare/policy/writers.js';
import { optionsOf } from '../declare/record.js';
import { isPlural, withArticle as oneOf, toWords } from '../declare/scalars/words.js';
import { type ListArgs, readPage } from '../read/list.js';
import { withoutRows } from '../read/paging/page-args.js';
import { checkSortable } from '../read/paging/sortable.js';
import { checkOwnedList } from '../read/relations/owned-lists.js';
import { listSelectionOf, querySelection } from '../read/select.js';
import type { Row } from '../session.js';
import { inputOf } from '../write/input.js';
import { create, remove, update, upsert } from '../write/save.js';
import { ifVersion, listArgumentsOf } from './arguments.js';
import { connectionOf, resolveConnection } from './connection.js';

const allRootFields: readonly RootField[] = ['one', 'many', 'create', 'update', 'upsert', 'delete'];
const capitalize = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Arguments of an update or upsert. */
interface ChangeArguments {
  input: Row;
  ifVersion?: number | null;
}

/** Returns the root fields that the kernel generates for a record. */
export const rootFieldsOf: (cls: RecordClass) => readonly GeneratedField[] = memoize((cls) => {
  const { rootFields: names = allRootFields } = optionsOf(cls);
  return names.map((rootField) => fieldFactories[rootField](cls));
});

const idArgument = (cls: RecordClass): InputValueSpec => ({
  type: () => ID,
  isRequired: true,
  meaning: `ID of the ${toWords(optionsOf(cls).one)}.`,
});

const inputArgument = (cls: RecordClass): InputValueSpec => ({
  type: () => inputOf(cls),
  isRequired: true,
  meaning: `Fields to set on the ${toWords(optionsOf(cls).one)}.`,
});

const versionArgument = (cls: RecordClass): InputValues => (optionsOf(cls).versioned ? { ifVersion } : {});

/** Describes the effect of a record's lock, for the descriptions of the record's mutations. */
const lockEffect = ({ lock }: RecordOptions, exception = '') => (lock ? ` CONFLICT while \`${lock}\` is true${exception}.` : '');
const unlockException = ', unless the input changes nothing, or a platform or a super admin sets the field to false';

const extensionsOf = (policies: readonly Policy[]) => ({ allow: policies });

/** Returns a generated mutation for a record class. Only callers with write permission for the record can call it. */
const mutation = (
  cls: RecordClass,
  verb: 'create' | 'update' | 'upsert' | 'delete',
  { args, description, resolve }: Required<Pick<FieldSpec, 'args' | 'resolve'>> & { readonly description: string },
): GeneratedField => ({
  on: 'Mutation',
  name: `${verb}${capitalize(optionsOf(cls).one)}`,
  type: () => cls,
  description,
  args,
  extensions: extensionsOf(policiesOfWriters(optionsOf(cls).write)),
  resolve,
});

function oneField(cls: RecordClass): GeneratedField {
  const { one, canLookUp, read } = optionsOf(cls);
  return {
    on: 'Query',
    name: one,
    type: () => cls,
    isNullable: true,
    description: `${capitalize(oneOf(one))} by ID. Null if not found${canLookUp ? ', or if the caller may not look up the record' : ''}.`,
    args: () => ({ id: idArgument(cls) }),
    extensions: extensionsOf(read),
    resolve: async (_, { id }: { id: string }, context, info) => {
      // The loader reads the IDs of several fields in one batch, and an invalid ID would fail the whole batch.
      if (id.includes('\0')) reject('id', expectedWithoutNul);
      const row = context.loaders.loadRow(cls, querySelection(cls, info), id);
      if (!canLookUp) return row;
      const [visibleRow, isAllowed] = await Promise.all([row, canLookUp(context.sql, id)]);
      return isAllowed ? visibleRow : null;
    },
  };
}

function manyField(cls: RecordClass): GeneratedField {
  const { many, read, readList = read } = optionsOf(cls);
  return {
    on: 'Query',
    name: many,
    type: () => connectionOf(cls),
    description: `A list of ${toWords(many)}.`,
    args: () => listArgumentsOf(cls),
    extensions: extensionsOf(readList),
    resolve: async (_, args: ListArgs, context, info) => {
      const listSelection = listSelectionOf(cls, info);
      const { rows, selection } = listSelection;
      const sortableCheck = rows ? checkSortable(context.sql, cls, args) : null;
      if (sortableCheck) await sortableCheck;
      const page = await readPage(context.sql, cls, listSelection, rows ? args : withoutRows(args));
      await checkOwnedList(context.loaders, cls, args);
      await context.loaders.loadRelations(selection, page.rows);
      return resolveConnection(page, context.loaders, cls, args);
    },
  };
}

const createField = (cls: RecordClass): GeneratedField => {
  const { one, write } = optionsOf(cls);
  return mutation(cls, 'create', {
    description: `Creates ${oneOf(one)}. By default, the server assigns the ID. CONFLICT if the ID is taken.`,
    args: () => ({ input: inputArgument(cls) }),
    resolve: (_, { input }: { input: Row }, context, info) =>
      create(context, cls, input, querySelection(cls, info), {}, { ownerRestriction: ownerRestrictionOf(write, context.caller) }),
  });
};

const updateField = (cls: RecordClass): GeneratedField => {
  const options = optionsOf(cls);
  const { one, write } = options;
  return mutation(cls, 'update', {
    description: `Updates the given fields of ${oneOf(one)}. NOT_FOUND if the ID is unknown.${lockEffect(options, unlockException)}`,
    args: () => ({ id: idArgument(cls), input: inputArgument(cls), ...versionArgument(cls) }),
    resolve: (_, { id, input, ifVersion }: ChangeArguments & { id: string }, context, info) =>
      update(
        context,
        cls,
        id,
        input,
        querySelection(cls, info),
        {},
        { ownerRestriction: ownerRestrictionOf(write, context.caller), ifVersion },
      ),
  });
};

const upsertField = (cls: RecordClass): GeneratedField => {
  const options = optionsOf(cls);
  const { key = ['id'], one, write } = options;
  return mutation(cls, 'upsert', {
    description: `Creates ${oneOf(one)}, or updates the given fields of ${isPlural(one) ? '' : 'the '}existing ${toWords(one)} with the same ${key.map((name) => `\`${name}\``).join(' and ')}.${lockEffect(options, unlockException)}`,
    args: () => ({ input: inputArgument(cls), ...versionArgument(cls) }),
    resolve: (_, { input, ifVersion }: ChangeArguments, context, info) =>
      upsert(
        context,
        cls,
        input,
        querySelection(cls, info),
        {},
        { ownerRestriction: ownerRestrictionOf(write, context.caller), ifVersion },
      ),
  });
};

const deleteField = (cls: RecordClass): GeneratedField => {
  const options = optionsOf(cls);
  const { one, write } = options;
  return mutation(cls, 'delete', {
    description: `Deletes ${oneOf(one)} and returns ${isPlural(one) ? 'them' : 'it'}. NOT_FOUND if the ID is unknown.${lockEffect(options)}`,
    args: () => ({ id: idArgument(cls) }),
    resolve: (_, { id }: { id: string }, context, info) =>
      remove(context, cls, id, querySelection(cls, info), { ownerRestriction: ownerRestrictionOf(write, context.caller) }),
  });
};

const fieldFactories: Readonly<Record<RootField, (cls: RecordClass) => GeneratedField>> = {
  one: oneField,
  many: manyField,
  create: createField,
  update: updateField,
  upsert: upsertField,
  delete: deleteField,
};
