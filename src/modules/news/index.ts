import { module } from '../../kernel/serve/module.js';
import { Category } from './category.js';
import { CategoryResolver } from './category-resolver.js';
import { NewsItem } from './news-item.js';
import { NewsItemResolver } from './news-item-resolver.js';
import { NewsOutlet } from './news-outlet.js';
import { NewsImage, NewsLinks, NewsSchedule } from './news-values.js';

/** News, news outlets and categories (sections 2.6 and 2.19). */
export const news = module({
  name: 'news',
  description: 'News, news outlets and categories.',
  records: [NewsItem, NewsOutlet, Category],
  values: [NewsSchedule, NewsImage, NewsLinks],
  resolvers: [NewsItemResolver, CategoryResolver],
});
