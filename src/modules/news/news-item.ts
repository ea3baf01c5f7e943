import { group, id, instant, prose, ref, refs, text } from '../../kernel/declare/fields.js';
import { doneBy, Kept, type Reported, reportedOrNow } from '../../kernel/declare/kept.js';
import { inNfc } from '../../kernel/declare/nfc.js';
import { visitor } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { staff } from '../../kernel/declare/writers.js';
import { assigned, freeSlug, slugOf } from '../../kernel/write/slug-sql.js';
import { User } from '../accounts/user.js';
import { Category } from './category.js';
import { isOnSite } from './lifecycle.js';
import { newsFilters } from './news-filters.js';
import { NewsOutlet } from './news-outlet.js';
import { NewsImage, NewsLinks, NewsSchedule } from './news-values.js';

@record(
  {
    table: 'news_item',
    one: 'newsItem',
    many: 'news',
    read: [visitor],
    write: { by: staff('NEWS_CREATOR', 'NEWS_ADMIN') },
    rootFields: ['one', 'many', 'create', 'update', 'delete'],
    // Pages that show news to visitors have no use for others, and everybody may read what a page sends.
    visible: ({ platform, user }) => (platform || user ? null : isOnSite),
    names: ['title'],
    filters: newsFilters,
    search: {},
    findable: () => isOnSite,
    indexes: {
      title_part: 'using gin (nfc(title) gin_trgm_ops)',
    },
    onSave: ({ slug, ...values }) => (typeof slug === 'string' ? { ...values, slug: inNfc(slug) } : values),
    onInsert: async ({ slug, title }, context, attempt) => ({
      slug: await freeSlug(context, 'news_item', (typeof slug === 'string' && slug) || (await slugOf(title)) || 'news', attempt),
    }),
  },
  'A news item: an article, a video or a link to another site. Visitors with a publishable key see those that are on the site: not archived, and within their schedule.',
)
export class NewsItem extends Kept {
  @id('Id of the news item.')
  id!: string;

  @text(
    'Slug of its page, unique. Derived from the title if none is sent at creation; changed only by an update that sends one.',
    {
      ...assigned,
      unique: true,
      isLasting: true,
      max: 500,
      letters: 'nfc',
    },
  )
  slug!: string;

  @text('Title.')
  title!: string | null;

  @text('Headline for the home page.')
  homepageHeadline!: string | null;

  @prose('Summary.')
  description!: string | null;

  @prose('The text itself, as HTML.')
  content!: string | null;

  @group(() => NewsImage, 'Its images.')
  image!: NewsImage;

  @group(() => NewsLinks, 'Where it is shared and where it leads.')
  links!: NewsLinks;

  @text('Title for search engines.')
  metaTitle!: string | null;

  @text('Description for search engines.')
  metaDescription!: string | null;

  @text('Name of the author, as shown.')
  authorName!: string | null;

  @ref(
    () => User,
    { one: 'author', many: 'news', manyDescription: 'News items that the user wrote.', filterable: ['one'] },
    'The author, where it is a user.',
  )
  authorId!: string | null;

  @ref(() => NewsOutlet, { one: 'outlet', many: 'news', filterable: ['one'] }, 'News outlet that published it.')
  outletId!: string | null;

  @refs(
    () => Category,
    { all: 'categories', many: 'news', filterable: ['all', 'many'] },
    'Categories, the most important one first.',
  )
  categoryIds!: string[];

  @group(() => NewsSchedule, 'When it is shown on the site.')
  siteSchedule!: NewsSchedule;

  @group(() => NewsSchedule, 'When it is shown on the home page.')
  homepageSchedule!: NewsSchedule;

  @group(() => NewsSchedule, 'When it is featured.')
  featuredSchedule!: NewsSchedule;

  @instant('The date of publication, to be shown; when the item appears is up to its schedules.', { index: true })
  publishedAt!: string | null;

  @instant('When it is archived: from then on it is shown nowhere. A future time archives it then; null for never.')
  archivedAt!: string | null;

  @text('Status as sent. Has no effect: see `lifecycle` for the actual state.', { onlyInLegacy: 'status' })
  platformStatus!: string | null;

  @reportedOrNow()
  reported!: Reported;

  @text('Name of the person who archived it, as it was sent; `archiver` is the user, where the service knows one.')
  archivedBy!: string | null;

  @doneBy('archiver', 'The user who set `archivedAt`; null where a platform alone did, and where that was not kept yet.', {
    doneAt: 'archivedAt',
  })
  archivedById!: string | null;
}
