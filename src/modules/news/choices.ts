import { choices } from '../../kernel/declare/choices.js';

export const newsStatuses = choices('NewsStatus', 'The status of a news item as platforms send it.', {
  ACTIVE: { raw: ['ACTIVE_NEWS_STATUS', 'active'], description: 'It is to be shown.' },
  INACTIVE: { raw: ['INACTIVE_NEWS_STATUS', 'inactive'], description: 'It is not to be shown.' },
  ARCHIVED: { raw: ['ARCHIVED_NEWS_STATUS', 'archived'], description: 'It is filed away.' },
});
