import { flag, id, text } from '../../kernel/declare/fields/fields.js';
import { permission, visitor } from '../../kernel/declare/policy/policy.js';
import { record } from '../../kernel/declare/record.js';
import { TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { assignCategoryId } from './number-category-sql.js';

@record(
  {
    table: 'category',
    one: 'category',
    many: 'categories',
    read: [visitor],
    write: { policies: [permission('NEWS_CREATOR')] },
    rootFields: ['one', 'many', 'create', 'upsert', 'delete'],
    order: [{ field: 'createdAt', direction: 'ASC' }],
    onInsert: assignCategoryId,
  },
  'Category of news and instructional videos.',
)
export class Category extends TrackedRecord {
  @id('ID of the category. Default: the next whole number.')
  id!: string;

  @text('Title.', { max: 500 })
  title!: string | null;

  @flag('Whether the category is for instructional videos.')
  isInstructionalVideo!: boolean;

  @flag('Whether the category is for news.')
  isNews!: boolean;

  @flag('Whether the category can be selected.')
  isEnabled!: boolean;
}
