import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { runAsyncChecks } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { now } from '../../../kernel/declare/scalars/instant.js';
import { entityToRow, lockVisibleEntity, saveEntity } from '../../../kernel/write/entities.js';
import { valuesOf } from '../../../kernel/write/input-values.js';
import { create } from '../../../kernel/write/save.js';
import { hashOf, keyHintOf, newKey } from '../tokens/secrets.js';
import { PublishableKey } from './publishable-key.js';

/** Returns the ID of the platform that a new key belongs to: the calling platform, or the platform that a super admin specified. */
async function platformIdFor({ caller: { platform, user }, sql }: Context, requestedId: unknown): Promise<string> {
  const id =
    (typeof requestedId === 'string' && requestedId) || platform?.id || reject('input.platformId', 'the id of a platform');
  if (!user?.isSuperAdmin && id !== platform?.id) fail('FORBIDDEN', 'platforms can create keys only for themselves');
  return (await sql.first(sql.db.selectFrom('platform').select('id').where('id', '=', id)))
    ? id
    : reject('input.platformId', 'the id of a platform');
}

/** Creates a key for a platform. Only its hash is stored, so the key is returned only once. */
export async function createKey(
  context: Context,
  input: Values,
  returning: readonly string[],
): Promise<{ row: RowOf<PublishableKey>; key: string }> {
  const [platformId] = await runAsyncChecks(
    () => platformIdFor(context, input.platformId),
    () => valuesOf(metaOf(PublishableKey), input),
  );
  const key = newKey();
  const secret = { platformId, keyHash: hashOf(key), hint: keyHintOf(key) };
  return { row: await create(context, PublishableKey, input, returning, secret), key };
}

/** Locks the row of a key and changes it. Throws NOT_FOUND for keys that the caller cannot see. */
async function changeKey(
  context: Context,
  id: string,
  change: (key: PublishableKey) => RowOf<PublishableKey> | Promise<RowOf<PublishableKey>>,
): Promise<RowOf<PublishableKey>> {
  const { services, sql } = context;
  const row = await sql.transaction(async () =>
    change((await lockVisibleEntity(context, PublishableKey, id)) ?? fail('NOT_FOUND', `no publishable key with the id ${id}`)),
  );
  services.authenticator.clearCaches();
  return row;
}

/** Changes the label or the origins of a key. Throws CONFLICT if the key is revoked. */
export async function updateKey(
  context: Context,
  id: string,
  input: Values,
  returning: readonly string[],
): Promise<RowOf<PublishableKey>> {
  const values = valuesOf(metaOf(PublishableKey), input);
  return changeKey(context, id, (key) => {
    if (key.revokedAt) fail('CONFLICT', 'the publishable key is revoked and cannot be changed: create a new key');
    return saveEntity(context, Object.assign(key, values), returning);
  });
}

/** Revokes a key. If the key was already revoked, keeps the original time of revocation. */
export const revokeKey = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<PublishableKey>> =>
  changeKey(context, id, (key) => {
    if (key.revokedAt) return entityToRow(key, returning);
    key.revokedAt = now();
    return saveEntity(context, key, returning);
  });
