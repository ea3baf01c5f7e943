import type { Context } from '../../kernel/declare/context.js';
import { fail, reject } from '../../kernel/declare/errors.js';
import type { Values } from '../../kernel/declare/fields/options.js';
import { metaOf } from '../../kernel/declare/meta.js';
import { runAsyncChecks } from '../../kernel/declare/problems.js';
import type { RowOf } from '../../kernel/declare/row.js';
import { valuesOf } from '../../kernel/write/input-values.js';
import { create, remove, update } from '../../kernel/write/save.js';
import { Deprecation } from './deprecation.js';
import { lockDeprecations } from './deprecation-lock-sql.js';

async function checkRoute({ services }: Context, { route }: Values): Promise<void> {
  const isKnown = typeof route === 'string' && (await services.legacyRoutes()).find(route);
  if (!isKnown) reject('input.route', 'a method and a path of `/v1`, such as `GET /v1/data/teams/{uuid}`');
}

async function checkPlatform({ sql }: Context, { platformId }: Values): Promise<void> {
  if (typeof platformId !== 'string') return;
  const platform = await sql.first(sql.db.selectFrom('platform').select('id').where('id', '=', platformId));
  if (!platform) reject('input.platformId', 'the id of a platform');
}

/** Reads the deprecation of a route for a platform, or for all platforms. */
const readDeprecation = ({ sql }: Context, { route, platformId }: Values) =>
  sql.first(
    sql.db
      .selectFrom('deprecation')
      .select(['id', 'deprecated_at as deprecatedAt', 'sunset_at as sunsetAt'])
      .where('route', '=', String(route))
      .where('platform_id', 'is not distinct from', typeof platformId === 'string' ? platformId : null),
  );

/** Rejects a new deprecation without `deprecatedAt` or `text`. */
function checkNew({ deprecatedAt, text }: Values): void {
  if (typeof deprecatedAt !== 'string') reject('input.deprecatedAt', 'a time');
  if (typeof text !== 'string') reject('input.text', 'a string');
}

/** Creates or updates the deprecation of a route. With `keepsExisting`, throws CONFLICT for an existing deprecation. */
export async function deprecateRoute(
  context: Context,
  input: Values,
  keepsExisting: boolean,
  returning: readonly string[],
): Promise<RowOf<Deprecation>> {
  await runAsyncChecks(
    () => checkRoute(context, input),
    () => checkPlatform(context, input),
    () => valuesOf(metaOf(Deprecation), input, undefined, 'upsert'),
  );
  const { id: _, ...values } = input;
  const savedDeprecation = await context.sql.transaction(async () => {
    await lockDeprecations(context.sql);
    const storedDeprecation = await readDeprecation(context, input);
    if (!storedDeprecation) checkNew(input);
    else if (keepsExisting) fail('CONFLICT', 'the route is already deprecated');
    // Throws BAD_INPUT if the input is invalid in combination with the stored values. The result is not needed.
    valuesOf(
      metaOf(Deprecation),
      { deprecatedAt: storedDeprecation?.deprecatedAt, sunsetAt: storedDeprecation?.sunsetAt, ...values },
      undefined,
      'upsert',
    );
    return storedDeprecation
      ? update(context, Deprecation, storedDeprecation.id, values, returning)
      : create(context, Deprecation, values, returning);
  });
  context.services.deprecations.invalidate();
  return savedDeprecation;
}

/** Deletes a deprecation. Throws NOT_FOUND for an unknown ID. */
export async function undoDeprecation(context: Context, id: string, returning: readonly string[]): Promise<RowOf<Deprecation>> {
  // If the deletion is rejected, the transaction also rolls back the change notification.
  const deletedDeprecation = await context.sql.transaction(() => remove(context, Deprecation, id, returning));
  context.services.deprecations.invalidate();
  return deletedDeprecation;
}
