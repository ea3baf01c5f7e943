import { instant, text } from '../../kernel/declare/fields.js';
import { value } from '../../kernel/declare/record.js';

@value(
  'A span of time in which something is shown, open where one end is unset. Without both ends it is no schedule: nothing is shown.',
)
export class NewsSchedule {
  @instant('From then on.')
  from!: string | null;

  @instant('Until then.')
  until!: string | null;
}

@value('The images of a news item.')
export class NewsImage {
  @text('URL of the image.')
  url!: string | null;

  @text('URL of the small version.')
  thumbnailUrl!: string | null;

  @text('URL of the image on the small card.')
  smallCardUrl!: string | null;

  @text('What the image shows, for readers who cannot see it.')
  altText!: string | null;
}

@value('Where a news item is shared and where it leads.')
export class NewsLinks {
  @text('Link for sharing on Facebook.')
  facebook!: string | null;

  @text('Link for sharing on Twitter.')
  twitter!: string | null;

  @text('Link for sharing by text message.')
  sms!: string | null;

  @text('URL of the page with the details.')
  details!: string | null;

  @text('URL of the item on another site.')
  external!: string | null;

  @text('URL of the video.')
  video!: string | null;
}
