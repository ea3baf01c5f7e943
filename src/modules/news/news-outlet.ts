import { flag, id, instant, text } from '../../kernel/declare/fields/fields.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { record } from '../../kernel/declare/record.js';
import { TrackedRecord } from '../../kernel/declare/tracked-record.js';

@record(
  {
    table: 'news_outlet',
    one: 'newsOutlet',
    many: 'newsOutlets',
    read: [visitor],
    write: { policies: staffPolicies('NEWS_CREATOR', 'NEWS_ADMIN') },
  },
  'Newspaper, magazine or channel that publishes news.',
)
export class NewsOutlet extends TrackedRecord {
  @id('ID of the outlet.')
  id!: string;

  @text('Title.', { max: 500 })
  title!: string | null;

  @text('URL of the logo.')
  logoUrl!: string | null;

  @flag('Whether the outlet is in use.')
  isEnabled!: boolean;

  @instant('When the outlet was archived. Null if it is not archived.')
  archivedAt!: string | null;
}
