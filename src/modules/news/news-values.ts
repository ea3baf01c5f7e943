import { instant, text } from '../../kernel/declare/fields/fields.js';
import { value } from '../../kernel/declare/record.js';

@value(
  'Period in which a news item is shown. A missing start or end means no limit. If both are missing, the item is never shown.',
)
export class NewsSchedule {
  @instant('Start of the period, inclusive.')
  from!: string | null;

  @instant('End of the period, exclusive.')
  until!: string | null;
}

@value('Images of a news item.')
export class NewsImage {
  @text('URL of the image.')
  url!: string | null;

  @text('URL of the thumbnail.')
  thumbnailUrl!: string | null;

  @text('URL of the image for the small card.')
  smallCardUrl!: string | null;

  @text('Alternative text for readers who cannot see the image.')
  altText!: string | null;
}

@value('Links of a news item.')
export class NewsLinks {
  @text('Link for sharing on Facebook.')
  facebook!: string | null;

  @text('Link for sharing on Twitter.')
  twitter!: string | null;

  @text('Link for sharing by text message.')
  sms!: string | null;

  @text('URL of the page with details.')
  details!: string | null;

  @text('URL of the item on another site.')
  external!: string | null;

  @text('URL of the video.')
  video!: string | null;
}
