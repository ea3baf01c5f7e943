import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { allow, visitor } from '../../../kernel/declare/policy/policy.js';
import { PageArguments } from '../../../kernel/serve/arguments.js';
import { type ConnectionSource, mixedConnectionOf } from '../../../kernel/serve/connection.js';
import { unionOf } from '../../../kernel/serve/nodes.js';
import { maxSearchLength, minSearchLength, SearchKind, search, searchableRecords } from './search.js';

const SearchResult = unionOf('SearchResult', 'Search result: a tournament, league, club, user or news item.', searchableRecords);

const SearchResultConnection = mixedConnectionOf(
  'SearchResult',
  SearchResult.type,
  'Page of search results of all kinds, best matches first.',
);

/** Full-text search over several types of records. */
@Resolver()
export class SearchResolver {
  @allow(visitor)
  @Query(() => SearchResultConnection, {
    description:
      'Searches tournaments, leagues and clubs by title, venue, city and state, users by first and last name, and news by title. Results contain all words. The search ignores case, accents and small misspellings. The best matches of all kinds come first.',
  })
  search(
    @Arg('text', () => String, {
      description: `Search text, ${minSearchLength} to ${maxSearchLength} characters. Surrounding whitespace does not count.`,
    })
    text: string,
    @Arg('kinds', () => [SearchKind], {
      nullable: true,
      description: 'Kinds of records to search. Defaults to all kinds that the caller may read.',
    })
    kinds: SearchKind[] | null,
    @Args(() => PageArguments) part: PageArguments,
    @Ctx() context: Context,
  ): Promise<ConnectionSource> {
    return search(context, text, kinds, part);
  }
}
