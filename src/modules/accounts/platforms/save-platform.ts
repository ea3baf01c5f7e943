import type { Context } from '../../../kernel/declare/context.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { create, update } from '../../../kernel/write/save.js';
import { hashOf, newToken } from '../tokens/secrets.js';
import { Platform } from './platform.js';

const tokenColumns = (token: string) => ({ tokenHash: hashOf(token), tokenHint: token.slice(0, 4) });

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

/** Replaces the token of a platform. The old token is rejected immediately. */
export async function renewToken(
  context: Context,
  id: string,
  returning: readonly string[],
): Promise<{ platform: RowOf<Platform>; token: string }> {
  const token = newToken();
  const platform = await update(context, Platform, id, {}, returning, tokenColumns(token));
  context.services.authenticator.clearCaches();
  return { platform, token };
}

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
