import { createdAt, id, ref, values } from '../../../kernel/declare/fields/fields.js';
import { platform, user } from '../../../kernel/declare/policy/policy.js';
import { record } from '../../../kernel/declare/record.js';
import { User } from '../../accounts/users/user.js';
import { NewsItem } from '../../news/news-item.js';
import { ReactionKind } from './reaction-kind.js';

@record(
  {
    table: 'reaction',
    one: 'reaction',
    many: 'reactions',
    read: [platform, user],
    write: { policies: [platform], owner: 'userId' },
    person: { field: 'userId', deletesRows: true },
    rootFields: ['one', 'many'],
    key: ['userId', 'newsItemId'],
    indexes: { kind: '(news_item_id, kind)', latest: '(news_item_id, created_at desc nulls last, id)' },
  },
  'Reaction of a user to a news item. Unique per user and item.',
)
export class Reaction {
  @id('ID of the reaction.')
  id!: string;

  @ref(() => User, { one: 'user', many: 'reactions', manyDescription: 'Reactions of the user.' }, 'User who reacted.', {
    required: true,
  })
  userId!: string;

  @ref(
    () => NewsItem,
    { one: 'newsItem', many: 'reactions', manyDescription: 'Reactions to the news item.' },
    'News item that the user reacted to.',
    { required: true, index: false },
  )
  newsItemId!: string;

  @values(ReactionKind, 'Kind of the reaction.', { required: true })
  kind!: ReactionKind;

  @createdAt('When the user reacted. A new reaction replaces the time.')
  createdAt!: string;
}
