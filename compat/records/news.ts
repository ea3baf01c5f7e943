import { nested, readOnly, record, withNullAs } from '../engine/index.js';

// Categories (section 2.6).

/** A category in the lookup response. */
export const categoryLookup = record('CategoryLookup', {
  type: 'Category',
  fields: 'id title isInstructionalVideo isNews isActive',
  paths: { isActive: 'isEnabled' },
});

/** A category in requests and other responses. The server assigns its ID. */
export const category = record('Category', {
  type: 'Category',
  input: 'CategoryInput',
  responseRecords: [categoryLookup],
  fields: 'id title is_instructional_video is_news is_active',
  paths: { is_active: 'isEnabled' },
  as: { id: readOnly },
});

// News and outlets (section 2.19).

export const outletOfNews = record('OutletOfNews', {
  type: 'NewsOutlet',
  fields: 'uuid title logo isActive archivedAt',
  paths: { logo: 'logoUrl', isActive: 'isEnabled' },
});

export const newsOutlet = record('NewsOutlet', {
  type: 'NewsOutlet',
  input: 'NewsOutletInput',
  responseRecords: [outletOfNews],
  fields: 'uuid title logo is_active archived_at',
  paths: { logo: 'logoUrl', is_active: 'isEnabled' },
  as: { archived_at: readOnly },
});

const newsPaths = {
  imageUrl: 'image.url',
  imageThumbnailUrl: 'image.thumbnailUrl',
  imageAltText: 'image.altText',
  authorFullName: 'authorName',
  dateCreated: 'reported.createdAt',
  dateStartShowOnHomepage: 'homepageSchedule.from',
  dateEndShowOnHomepage: 'homepageSchedule.until',
  dateStartShowOnSite: 'siteSchedule.from',
  dateEndShowOnSite: 'siteSchedule.until',
  publishDateDisplayed: 'publishedAt',
  dateStartShowOnFeatured: 'featuredSchedule.from',
  dateEndShowOnFeatured: 'featuredSchedule.until',
  dateArchived: 'archivedAt',
  dateUpdated: 'reported.updatedAt',
  facebookLink: 'links.facebook',
  twitterLink: 'links.twitter',
  smsLink: 'links.sms',
  videoUrl: 'links.video',
  blogMetaDescription: 'metaDescription',
  blogMetaTitle: 'metaTitle',
  createdByFullName: 'reported.createdBy',
  updatedByFullName: 'reported.updatedBy',
  archivedByFullName: 'archivedBy',
  detailsUrl: 'links.details',
  externalUrl: 'links.external',
  smallNewsCardImgUrl: 'image.smallCardUrl',
  headlineForHomepage: 'homepageHeadline',
  newsOutletUuid: 'outletId',
  categoriesIds: 'categoryIds',
  status: 'legacy.status',
};

const newsFields = (author: string) => `uuid title imageUrl imageThumbnailUrl imageAltText authorFullName dateCreated
  dateStartShowOnHomepage dateEndShowOnHomepage dateStartShowOnSite dateEndShowOnSite publishDateDisplayed
  dateStartShowOnFeatured dateEndShowOnFeatured dateArchived dateUpdated facebookLink twitterLink smsLink videoUrl content
  blogMetaDescription blogMetaTitle createdByFullName updatedByFullName archivedByFullName description detailsUrl slug
  ${author} externalUrl smallNewsCardImgUrl headlineForHomepage newsOutletUuid categoriesIds status`;

const status = withNullAs('UNDEFINED_NEWS_STATUS');

/**
 * A news item in GET responses. Unlike `news`, it contains the news outlet, and the key of the author's ID is in snake_case
 * (`news_author_uuid`).
 */
export const newsWithOutlet = record('NewsRead', {
  type: 'NewsItem',
  fields: `${newsFields('news_author_uuid')} newsOutlet`,
  paths: { ...newsPaths, news_author_uuid: 'authorId', newsOutlet: 'outlet' },
  as: { status, newsOutlet: nested(outletOfNews) },
});

/** A news item in POST and PUT requests and their responses. The server assigns the UUID, and the path of a PUT request contains it. */
export const news = record('News', {
  type: 'NewsItem',
  input: 'NewsItemInput',
  responseRecords: [newsWithOutlet],
  fields: newsFields('newsAuthorUuid'),
  paths: { ...newsPaths, newsAuthorUuid: 'authorId' },
  as: { uuid: readOnly, status },
});
