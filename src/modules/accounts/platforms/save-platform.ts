import type { Context } from '../../../kernel/declare/context.js';
import { fail, reject } from '../../../kernel/declare/errors.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { runAsyncChecks } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { lockVisibleEntity, saveEntity } from '../../../kernel/write/entities.js';
import { create, update } from '../../../kernel/write/save.js';
import { hashOf, newToken, tokenHintOf } from '../tokens/secrets.js';
import { Platform } from './platform.js';

const tokenColumns = (token: string) => ({ tokenHash: hashOf(token), tokenHint: tokenHintOf(token) });

/** Creates a platform. Only the hash of its token is stored, so the token is returned only once. */
export async function createPlatform(
  context: Context,
  input: Values,
  returning: readonly string[],
): Promise<{ platform: RowOf<Platform>; token: string }> {
  const token = newToken();
  const values = { ...input, title: input.title ?? '' };
  return { platform: await create(context, Platform, values, returning, tokenColumns(token)), token };
}

/** Maximum number of hours for which a replaced token stays valid. */
export const maxPreviousTokenHours = 720;

/** Locks the row of a platform and changes its tokens. Throws NOT_FOUND for an unknown ID. */
async function changeTokens(
  context: Context,
  id: string,
  returning: readonly string[],
  change: (platform: Platform) => void,
): Promise<RowOf<Platform>> {
  const row = await context.sql.transaction(async () => {
    const platform = (await lockVisibleEntity(context, Platform, id)) ?? fail('NOT_FOUND', `no platform with the id ${id}`);
    change(platform);
    platform.tokenChangedAt = new Date().toISOString();
    return saveEntity(context, platform, returning);
  });
  context.services.authenticator.clearCaches();
  return row;
}

/**
 * Replaces the token of a platform. The previous token remains valid for `hours`. Older tokens are rejected immediately.
 */
export async function renewToken(
  context: Context,
  id: string,
  hours: number,
  returning: readonly string[],
): Promise<{ platform: RowOf<Platform>; token: string }> {
  await runAsyncChecks(() =>
    hours < 0 || hours > maxPreviousTokenHours ? reject('hours', `0 to ${maxPreviousTokenHours}`) : undefined,
  );
  const token = newToken();
  const platform = await changeTokens(context, id, returning, (entity) => {
    entity.previousTokenHash = hours > 0 ? entity.tokenHash : null;
    entity.previousTokenEndsAt = hours > 0 ? new Date(Date.now() + hours * 3_600_000).toISOString() : null;
    Object.assign(entity, tokenColumns(token));
  });
  return { platform, token };
}

/** Invalidates the previous token immediately. */
export const endPreviousToken = (context: Context, id: string, returning: readonly string[]): Promise<RowOf<Platform>> =>
  changeTokens(context, id, returning, (platform) => {
    platform.previousTokenHash = null;
    platform.previousTokenEndsAt = null;
  });

/** Updates a platform. The tokens and keys of a disabled platform are rejected. */
export async function updatePlatform(
  context: Context,
  id: string,
  input: Values,
  returning: readonly string[],
): Promise<RowOf<Platform>> {
  const platform = await update(context, Platform, id, input, returning);
  context.services.authenticator.clearCaches();
  return platform;
}
