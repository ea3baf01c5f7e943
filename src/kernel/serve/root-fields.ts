import type { GraphQLFieldResolver } from 'graphql';
import { Arg, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../declare/context.js';
import { reject, storable } from '../declare/errors.js';
import { meaningsByCoordinate } from '../declare/meaning.js';
import { classNamed, type RecordClass } from '../declare/meta.js';
import type { RootField } from '../declare/options.js';
import { allow, type Policy } from '../declare/policy.js';
import { optionsOf } from '../declare/record.js';
import { one as oneOf, worded } from '../declare/words.js';
import { heldTo, policiesOfWriters } from '../declare/writers.js';
import { filterOf } from '../read/filter.js';
import { type ListArgs, readPage } from '../read/list.js';
import { orderOf } from '../read/order.js';
import { checkOwnList } from '../read/own-lists.js';
import { withoutRows } from '../read/part.js';
import { selected, wantedOf } from '../read/select.js';
import { checkSortable } from '../read/sortable.js';
import type { Row } from '../session.js';
import { inputOf } from '../write/input.js';
import { create, remove, update, upsert } from '../write/save.js';
import { connectionOf, resolveConnection } from './connection.js';
import { ifVersionArg } from './if-version.js';
import { listArguments } from './list-arguments.js';

// biome-ignore lint/suspicious/noExplicitAny: arguments are typed by the schema, not by the compiler
export type Resolve = GraphQLFieldResolver<unknown, Context, any>;

const all: readonly RootField[] = ['one', 'many', 'create', 'update', 'upsert', 'delete'];
const capital = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Arguments of what changes a row. */
interface Changing {
  input: Row;
  ifVersion?: number | null;
}

const rootClasses = new Map<RecordClass, RecordClass>();
const resolvers = new Map<string, Resolve>();

/** Resolve functions of the rootFields by `Query.team`, `Mutation.createTeam`, …: the schema gets them after it is built, unwrapped. */
export const rootResolvers: ReadonlyMap<string, Resolve> = resolvers;

/** The resolver class with the rootFields that the kernel opens for a record. */
export function rootFieldsOf(cls: RecordClass): RecordClass {
  const known = rootClasses.get(cls);
  if (known) return known;
  const { one, many, rootFields = all, canLookUp, lock, read, readList = read, write, versioned } = optionsOf(cls);
  const writers = policiesOfWriters(write);
  const locks = (unless = '') => (lock ? ` CONFLICT while its \`${lock}\` is true${unless}.` : '');
  const unlocking = ', unless a platform or a super admin sets that to false, or nothing would change';
  // type-graphql collects types before it asks for them, so each of them is made here.
  for (const make of [connectionOf, filterOf, orderOf, inputOf]) make(cls);
  const holder = classNamed(`${cls.name}RootFields`);
  const target = holder.prototype as Record<string, unknown>;

  const open = (
    root: 'Query' | 'Mutation',
    field: string,
    policies: readonly Policy[],
    type: () => object,
    options: object,
    args: () => void,
    resolve: Resolve,
  ) => {
    target[field] = () => undefined;
    resolvers.set(`${root}.${field}`, resolve);
    args();
    const descriptor = Object.getOwnPropertyDescriptor(target, field) ?? {};
    (root === 'Query' ? Query : Mutation)(type, options)(target, field, descriptor);
    allow(...policies)(target, field, descriptor);
  };
  const idArg = (field: string) => {
    Arg('id', () => ID)(target, field, 0);
    meaningsByCoordinate.set(`${field === one ? 'Query' : 'Mutation'}.${field}.id`, `ID of the ${worded(one)}.`);
  };
  const inputArg = (field: string, index = 0) => {
    Arg('input', () => inputOf(cls))(target, field, index);
    meaningsByCoordinate.set(`Mutation.${field}.input`, `Values of the ${worded(one)}.`);
  };

  const versionArg = (field: string, index: number) => versioned && ifVersionArg()(target, field, index);

  const table: Record<RootField, () => void> = {
    one: () =>
      open(
        'Query',
        one,
        read,
        () => cls,
        {
          nullable: true,
          description: `${capital(oneOf(one))} by ID. Null if not found${canLookUp ? ', or if the caller cannot look it up' : ''}.`,
        },
        () => idArg(one),
        async (_, { id }: { id: string }, context, info) => {
          // Before it is read together with the ids of other fields, which would all be refused.
          if (id.includes('\0')) reject('id', storable);
          const row = context.loaders.one(cls, selected(cls, info), id);
          if (!canLookUp) return row;
          const [found, isAllowed] = await Promise.all([row, canLookUp(context.sql, id)]);
          return isAllowed ? found : null;
        },
      ),
    many: () =>
      open(
        'Query',
        many,
        readList,
        () => connectionOf(cls),
        { description: `A list of ${worded(many)}.` },
        () => listArguments(cls, target, many),
        async (_, args: ListArgs, context, info) => {
          const wanted = wantedOf(cls, info);
          const { rows, selection } = wanted;
          const looked = rows ? checkSortable(context.sql, cls, args) : null;
          if (looked) await looked;
          const page = await readPage(context.sql, cls, wanted, rows ? args : withoutRows(args));
          await checkOwnList(context.loaders, cls, args);
          await context.loaders.refer(selection, page.rows);
          return resolveConnection(page, context.loaders, cls, args);
        },
      ),
    create: () =>
      open(
        'Mutation',
        `create${capital(one)}`,
        writers,
        () => cls,
        { description: `Creates ${oneOf(one)}. Without an ID, the server assigns one. CONFLICT if the ID is taken.` },
        () => inputArg(`create${capital(one)}`),
        (_, { input }: { input: Row }, context, info) =>
          create(context, cls, input, selected(cls, info), {}, { held: heldTo(write, context.caller) }),
      ),
    update: () =>
      open(
        'Mutation',
        `update${capital(one)}`,
        writers,
        () => cls,
        {
          description: `Changes the fields given of ${oneOf(one)}; NOT_FOUND for an unknown id.${locks(unlocking)}`,
        },
        () => {
          idArg(`update${capital(one)}`);
          inputArg(`update${capital(one)}`, 1);
          versionArg(`update${capital(one)}`, 2);
        },
        (_, { id, input, ifVersion }: Changing & { id: string }, context, info) =>
          update(context, cls, id, input, selected(cls, info), {}, { held: heldTo(write, context.caller), ifVersion }),
      ),
    upsert: () =>
      open(
        'Mutation',
        `upsert${capital(one)}`,
        writers,
        () => cls,
        {
          description: `Creates ${oneOf(one)}, or changes the fields given of the one with the same ${(optionsOf(cls).key ?? ['id']).map((name) => `\`${name}\``).join(' and ')}.${locks(unlocking)}`,
        },
        () => {
          inputArg(`upsert${capital(one)}`);
          versionArg(`upsert${capital(one)}`, 1);
        },
        (_, { input, ifVersion }: Changing, context, info) =>
          upsert(context, cls, input, selected(cls, info), {}, { held: heldTo(write, context.caller), ifVersion }),
      ),
    delete: () =>
      open(
        'Mutation',
        `delete${capital(one)}`,
        writers,
        () => cls,
        { description: `Deletes ${oneOf(one)} and returns it as it was; NOT_FOUND for an unknown id.${locks()}` },
        () => idArg(`delete${capital(one)}`),
        (_, { id }: { id: string }, context, info) =>
          remove(context, cls, id, selected(cls, info), { held: heldTo(write, context.caller) }),
      ),
  };
  for (const rootField of rootFields) table[rootField]();
  Resolver()(holder);
  rootClasses.set(cls, holder);
  return holder;
}
