import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import { metaOf } from '../../kernel/declare/meta.js';
import type { Values } from '../../kernel/declare/options.js';
import { allOfThese } from '../../kernel/declare/problems.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { valuesOf } from '../../kernel/write/input-values.js';
import { create, remove, update } from '../../kernel/write/save.js';
import { Deprecation } from './deprecation.js';
import { lockDeprecations } from './deprecation-lock-sql.js';

async function checkRoute({ services }: Context, { route }: Values): Promise<void> {
  const known = typeof route === 'string' && (await services.legacyRoutes()).of(route);
  if (!known) reject('input.route', 'a method and a path of `/v1`, such as `GET /v1/data/teams/{uuid}`');
}

async function checkPlatform({ sql }: Context, { platformId }: Values): Promise<void> {
  if (typeof platformId !== 'string') return;
  const found = await sql.first(sql.db.selectFrom('platform').select('id').where('id', '=', platformId));
  if (!found) reject('input.platformId', 'the id of a platform');
}

/** What is announced of a route to a platform, or to all, so far. */
const announced = ({ sql }: Context, { route, platformId }: Values) =>
  sql.first(
    sql.db
      .selectFrom('deprecation')
      .select(['id', 'deprecated_at as deprecatedAt', 'sunset_at as sunsetAt'])
      .where('route', '=', String(route))
      .where('platform_id', 'is not distinct from', typeof platformId === 'string' ? platformId : null),
  );

/** What a new announcement must say. */
function checkNew({ deprecatedAt, text }: Values): void {
  if (typeof deprecatedAt !== 'string') reject('input.deprecatedAt', 'a time');
  if (typeof text !== 'string') reject('input.text', 'a text');
}

/** Announces the end of a route, or changes what is announced. */
export async function deprecateRoute(context: Context, input: Values, returning: readonly string[]): Promise<RowOf<Deprecation>> {
  await allOfThese(
    () => checkRoute(context, input),
    () => checkPlatform(context, input),
    () => valuesOf(metaOf(Deprecation), input, undefined, 'upsert'),
  );
  const { id: _, ...values } = input;
  const saved = await context.sql.transaction(async () => {
    await lockDeprecations(context.sql);
    const known = await announced(context, input);
    if (!known) checkNew(input);
    // What is not given stays, and must fit what is.
    valuesOf(
      metaOf(Deprecation),
      { deprecatedAt: known?.deprecatedAt, sunsetAt: known?.sunsetAt, ...values },
      undefined,
      'upsert',
    );
    return known ? update(context, Deprecation, known.id, values, returning) : create(context, Deprecation, values, returning);
  });
  context.services.deprecations.forget();
  return saved;
}

/** Takes an announcement back; its route is as if there had been none. */
export async function undoDeprecation(context: Context, id: string, returning: readonly string[]): Promise<RowOf<Deprecation>> {
  // A refusal is rolled back, with what its statement has told of a change.
  const undone = await context.sql.transaction(() => remove(context, Deprecation, id, returning));
  context.services.deprecations.forget();
  return undone;
}
