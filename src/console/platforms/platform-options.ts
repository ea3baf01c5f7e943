import { graphql } from 'courtside-sdk';
import { useEffect } from 'preact/hooks';
import { useList } from '../data/index.ts';

const PlatformOptions = graphql(`query ConsolePlatformOptions($after: String) {
  platforms(first: 100, after: $after, orderBy: [{ field: TITLE }]) { nodes { id title } pageInfo { hasNextPage endCursor } }
}`);

/** Returns all platforms as options of a select. */
export function usePlatformOptions(): readonly (readonly [id: string, title: string])[] {
  const { items, hasMore, isLoadingMore, loadMore } = useList(PlatformOptions, {}, ({ platforms }) => platforms);
  useEffect(() => {
    if (hasMore && !isLoadingMore) loadMore();
  }, [items.length, hasMore, isLoadingMore]);
  return items.map(({ id, title }) => [id, title]);
}
