import { group, id, instant, longText, ref, refs, text } from '../../kernel/declare/fields/fields.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { record } from '../../kernel/declare/record.js';
import { toNfc } from '../../kernel/declare/scalars/text.js';
import { actionUser, type Reported, reportedHistoryOrNow, TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { freeSlug, serviceAssignedTextOptions, slugOf } from '../../kernel/write/slug-sql.js';
import { User } from '../accounts/users/user.js';
import { Category } from './category.js';
import { isOnSite, newsFilters } from './lifecycle.js';
import { NewsOutlet } from './news-outlet.js';
import { NewsImage, NewsLinks, NewsSchedule } from './news-values.js';

@record(
  {
    table: 'news_item',
    one: 'newsItem',
    many: 'news',
    read: [visitor],
    write: { policies: staffPolicies('NEWS_CREATOR', 'NEWS_ADMIN') },
    rootFields: ['one', 'many', 'create', 'update', 'delete'],
    // Visitors use publishable keys, which are public. Therefore, visitors see only published items.
    visibleCondition: ({ platform, user }, row) => (platform || user ? null : isOnSite(row)),
    names: ['title'],
    filters: newsFilters,
    search: {},
    searchable: (_, row) => isOnSite(row),
    indexes: {
      title_trigram: 'using gin (nfc(title) gin_trgm_ops)',
    },
    onSave: ({ slug, ...values }) => (typeof slug === 'string' ? { ...values, slug: toNfc(slug) } : values),
    onInsert: async ({ slug, title }, context, attempt) => ({
      slug: await freeSlug(context, 'news_item', (typeof slug === 'string' && slug) || (await slugOf(title)) || 'news', attempt),
    }),
  },
  'News item: an article, a video or a link to another site. Visitors see only items that are on the site: not archived, and within their schedule. Users and platforms see all items.',
)
export class NewsItem extends TrackedRecord {
  @id('ID of the news item.')
  id!: string;

  @text(
    'URL slug of the news item. Unique. Default: derived from the title when the item is created. Later changes to the title do not change the slug.',
    {
      ...serviceAssignedTextOptions,
      unique: true,
      cannotBeCleared: true,
      max: 500,
      comparison: 'nfc',
    },
  )
  slug!: string;

  @text('Title.')
  title!: string | null;

  @text('Headline for the home page.')
  homepageHeadline!: string | null;

  @longText('Summary.')
  description!: string | null;

  @longText('Body as HTML.')
  content!: string | null;

  @group(() => NewsImage, 'Images of the news item.')
  image!: NewsImage;

  @group(() => NewsLinks, 'Links for sharing the item, and links to related pages.')
  links!: NewsLinks;

  @text('Title for search engines.')
  metaTitle!: string | null;

  @text('Description for search engines.')
  metaDescription!: string | null;

  @text('Display name of the author.')
  authorName!: string | null;

  @ref(
    () => User,
    { one: 'author', many: 'news', manyDescription: 'News items that the user wrote.', filterable: ['one'] },
    'Author, if they have an account.',
  )
  authorId!: string | null;

  @ref(() => NewsOutlet, { one: 'outlet', many: 'news', filterable: ['one'] }, 'News outlet that published the item.')
  outletId!: string | null;

  @refs(() => Category, { all: 'categories', many: 'news', filterable: ['all', 'many'] }, 'Categories, most important first.')
  categoryIds!: string[];

  @group(() => NewsSchedule, 'Period in which the item is shown on the site.')
  siteSchedule!: NewsSchedule;

  @group(() => NewsSchedule, 'Period in which the item is shown on the home page.')
  homepageSchedule!: NewsSchedule;

  @group(() => NewsSchedule, 'Period in which the item is featured.')
  featuredSchedule!: NewsSchedule;

  @instant('Publication date, for display only. The schedules determine when the item is shown.', { index: true })
  publishedAt!: string | null;

  @instant('When the item was or will be archived. It is not shown after that time. Null if it is not archived.')
  archivedAt!: string | null;

  @text('Status as sent by the platform. It has no effect. For the actual state, see `lifecycle`.', { legacyOnlyName: 'status' })
  platformStatus!: string | null;

  @reportedHistoryOrNow()
  reported!: Reported;

  @text('Name of the person who archived the item, as sent by the client. For the user, see `archiver`.')
  archivedBy!: string | null;

  @actionUser('archiver', 'User who set `archivedAt`. Null if unknown or not a user.', {
    instantField: 'archivedAt',
  })
  archivedById!: string | null;
}
