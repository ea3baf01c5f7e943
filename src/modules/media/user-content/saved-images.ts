import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { rowsById } from '../../../kernel/read/rows-by-id.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { Sponsor } from '../sponsors/sponsor.js';
import { SponsorImage } from '../sponsors/sponsor-image.js';
import { maxSponsorImages } from '../sponsors/sponsor-submission.js';

const savedImageIds = new WeakMap<Context, Set<string>>();

/** Stores the ID of an image that a request created or changed, so that the response includes the image in any approval state. */
export function addSavedImage(context: Context, imageId: string): void {
  const ids = savedImageIds.get(context) ?? new Set();
  savedImageIds.set(context, ids.add(imageId));
}

/** For each sponsor, reads the images that the caller can see or that the request has saved. */
async function imagesOf(
  context: Context,
  sponsorIds: readonly string[],
  columns: readonly string[],
): Promise<RowOf<SponsorImage>[][]> {
  const { loaders, sql } = context;
  const images = await sql.run(
    sql.db
      .selectFrom('sponsor_image')
      .select(['id', 'sponsor_id as sponsorId'])
      .where('sponsor_id', 'in', sponsorIds)
      .orderBy(({ fn, val }) => fn.coalesce('display_order', val(0)))
      .orderBy('created_at')
      .orderBy('id'),
  );
  const visibleRows = await Promise.all(images.map(({ id }) => loaders.loadRow(SponsorImage, ['id'], id)));
  const visibleImages = images.filter(({ id }, index) => visibleRows[index] || savedImageIds.get(context)?.has(id));
  const ids = visibleImages.map(({ id }) => id);
  const rows = new Map((await rowsById(context, SponsorImage, ids, [...columns, 'id'])).map((row) => [row.id, row]));
  return sponsorIds.map((sponsorId) =>
    visibleImages.flatMap((image) => (image.sponsorId === sponsorId ? (rows.get(image.id) ?? []) : [])),
  );
}

@Resolver(() => Sponsor)
export class SavedImages {
  @readsColumns('id')
  @FieldResolver(() => [SponsorImage], {
    description: `Images that the caller can see, and images that the same request created or changed, in any approval state. At most ${maxSponsorImages}, in the order of \`images\`.`,
  })
  imagesAfterSave(
    @Root() { id }: Pick<Sponsor, 'id'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<SponsorImage>[]> {
    const columns = selectedColumns(SponsorImage, info);
    const loadImages = (sponsorIds: string[]) => imagesOf(context, sponsorIds, columns);
    return context.loaders.batchLoader('images of sponsors after a save', loadImages, columns.join())(id);
  }
}
