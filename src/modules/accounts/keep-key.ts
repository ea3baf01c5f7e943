import type { Context } from '../../kernel/declare/context.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import { now } from '../../kernel/declare/instant.js';
import { metaOf } from '../../kernel/declare/meta.js';
import type { Values } from '../../kernel/declare/options.js';
import { allOfThese } from '../../kernel/declare/problems.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { asRow, saved } from '../../kernel/write/entities.js';
import { valuesOf } from '../../kernel/write/input-values.js';
import { lockSeen } from '../../kernel/write/lock-seen.js';
import { create } from '../../kernel/write/save.js';
import { PublishableKey } from './publishable-key.js';
import { hashOf, newKey } from './secrets.js';

/** How much of a key is shown later on: its prefix and four characters. */
const hintLength = 7;

/** Whose key it becomes: of the platform that asks, or of the one that a super admin names. */
async function ownerOf({ caller: { platform, user }, sql }: Context, named: unknown): Promise<string> {
  const id = (typeof named === 'string' && named) || platform?.id || reject('input.platformId', 'the id of a platform');
  if (!user?.isSuperAdmin && id !== platform?.id) fail('FORBIDDEN', 'a platform makes keys for itself only');
  return (await sql.first(sql.db.selectFrom('platform').select('id').where('id', '=', id)))
    ? id
    : reject('input.platformId', 'the id of a platform');
}

/** Makes a key for a platform; its text is known at this moment only. */
export async function createKey(
  context: Context,
  input: Values,
  returning: readonly string[],
): Promise<{ row: RowOf<PublishableKey>; key: string }> {
  const [platformId] = await allOfThese(
    () => ownerOf(context, input.platformId),
    () => valuesOf(metaOf(PublishableKey), input),
  );
  const key = newKey();
  const secret = { platformId, keyHash: hashOf(key), hint: key.slice(0, hintLength) };
  return { row: await create(context, PublishableKey, input, returning, secret), key };
}

/** Ends a key; one that has ended keeps the time at which it did. NOT_FOUND for keys that the caller does not see. */
export async function revokeKey(context: Context, id: string, returning: readonly string[]): Promise<RowOf<PublishableKey>> {
  const { services, sql } = context;
  const ended = await sql.transaction(async () => {
    const key = await lockSeen(context, PublishableKey, id);
    if (!key) return fail('NOT_FOUND', `no publishable key with the id ${id}`);
    if (key.revokedAt) return asRow(key, returning);
    key.revokedAt = now();
    return saved(context, key, returning);
  });
  services.identifier.forget();
  return ended;
}
