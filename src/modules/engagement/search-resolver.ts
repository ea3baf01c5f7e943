import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { allow, visitor } from '../../kernel/declare/policy.js';
import type { Connection } from '../../kernel/serve/connection.js';
import { PartArguments } from '../../kernel/serve/list-arguments.js';
import { mixedConnectionOf } from '../../kernel/serve/mixed-connection.js';
import { unionOf } from '../../kernel/serve/subjects.js';
import { longest, search, searched, shortest } from './search.js';
import { SearchKind } from './search-kind.js';

const SearchResult = unionOf(
  'SearchResult',
  'What a search finds: a tournament, a league, a club, a person or a news item.',
  searched,
);

const SearchResultConnection = mixedConnectionOf(
  'SearchResult',
  SearchResult.type,
  'A page of what a search finds, over all kinds, the best first.',
);

/** One search over what people look for. */
@Resolver()
export class SearchResolver {
  @allow(visitor)
  @Query(() => SearchResultConnection, {
    description:
      'Tournaments, leagues, clubs, people and news that have all words in their titles and names, or in the venue, city or state: in any case, with or without accents, small misspellings in each word allowed. The best matches come first, over all kinds.',
  })
  search(
    @Arg('text', () => String, {
      description: `What to look for, ${shortest} to ${longest} characters; blanks around them do not count.`,
    })
    text: string,
    @Arg('kinds', () => [SearchKind], {
      nullable: true,
      description: 'Only these; all that the caller may list where it is absent.',
    })
    kinds: SearchKind[] | null,
    @Args(() => PartArguments) part: PartArguments,
    @Ctx() context: Context,
  ): Promise<Connection> {
    return search(context, text, kinds, part);
  }
}
