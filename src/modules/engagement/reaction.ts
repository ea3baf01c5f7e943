import { createdAt, id, ref, values } from '../../kernel/declare/fields.js';
import { platform, user } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { User } from '../accounts/user.js';
import { NewsItem } from '../news/news-item.js';
import { ReactionKind } from './reaction-kind.js';

@record(
  {
    table: 'reaction',
    one: 'reaction',
    many: 'reactions',
    read: [platform, user],
    write: { by: [platform], owner: 'userId' },
    person: { by: 'userId', goes: true },
    rootFields: ['one', 'many'],
    key: ['userId', 'newsItemId'],
    indexes: { kind: '(news_item_id, kind)', latest: '(news_item_id, created_at desc nulls last, id)' },
  },
  'The reaction of a user to a news item; one for each user and item.',
)
export class Reaction {
  @id('Id of the reaction.')
  id!: string;

  @ref(
    () => User,
    { one: 'user', many: 'reactions', manyDescription: 'What the person reacted to, and how.' },
    'The user who reacts.',
  )
  userId!: string | null;

  @ref(
    () => NewsItem,
    { one: 'newsItem', many: 'reactions', manyDescription: 'The reactions of users to it, each with its user.' },
    'The news item.',
    { index: false },
  )
  newsItemId!: string | null;

  @values(ReactionKind, 'How the user reacts.', { required: true })
  kind!: ReactionKind;

  @createdAt('When the user reacted this way.')
  createdAt!: string;
}
