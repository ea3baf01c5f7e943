import type { Context } from '../../../kernel/declare/context.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { freeSlug, slugOf } from '../../../kernel/write/slug-sql.js';
import { newCode } from '../tokens/secrets.js';

/** Derives the slug of a new user from the name. Later changes of the name do not change the slug. */
export async function assignProfileSlug({ firstName, lastName }: Values, context: Context, attempt: number): Promise<Values> {
  const name = await slugOf([firstName, lastName].filter((part) => typeof part === 'string').join(' '));
  return { slug: await freeSlug(context, 'app_user', name || `player-${newCode()}`, attempt) };
}
