import { type DeletedIds, deletedIdsField, deletedIdsKey } from '../../../kernel/declare/deleted-ids.js';
import { type FieldSpec, GeneratedType } from '../../../kernel/declare/fields/generated.js';
import { type RecordClass, recordMetas, recordNamed } from '../../../kernel/declare/meta.js';
import { isInSchema, optionsOf } from '../../../kernel/declare/record.js';
import { toWords } from '../../../kernel/declare/scalars/words.js';
import { querySelection } from '../../../kernel/read/select.js';
import { User } from './user.js';

/** Result of `eraseUser`: the ID of the user, and the IDs of the deleted records. */
export type ErasedUser = { id: string } & DeletedIds;

/** Returns the records in the GraphQL schema whose rows `eraseUser` deletes. */
function erasedRecords(): Set<RecordClass> {
  const owned = recordMetas().flatMap(({ cls, options }) => (options?.person?.deletesRows ? [cls] : []));
  const dependents = owned.flatMap((cls) => optionsOf(cls).dependents ?? []).map(({ record }) => recordNamed(record));
  return new Set([...owned, ...dependents].filter((cls) => isInSchema(optionsOf(cls))));
}

const user: FieldSpec = {
  type: () => User,
  description: 'The erased user, without personal data.',
  resolve: (source, _, context, info) => context.loaders.loadRow(User, querySelection(User, info), (source as ErasedUser).id),
};

/** Result type of `eraseUser`. Its fields are derived from the options of all records. */
export const EraseUserPayload = new GeneratedType('EraseUserPayload', {
  kind: 'object',
  description: 'The erased user and the IDs of the deleted records, which clients can evict from their caches.',
  fields: () => ({
    user,
    ...Object.fromEntries(
      [...erasedRecords()].map((cls) => {
        const key = deletedIdsKey(cls.name);
        return [key, deletedIdsField(key, `IDs of the deleted ${toWords(optionsOf(cls).many)}.`)];
      }),
    ),
  }),
});
