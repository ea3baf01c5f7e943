/** A connection in a cache. It has the fields that queries have selected. */
export interface CachedConnection {
  readonly nodes?: readonly unknown[];
  readonly edges?: readonly unknown[];
  readonly pageInfo?: Readonly<Record<string, unknown>>;
}

const listNames = ['nodes', 'edges'] as const;

/** Joins the lists of two adjacent pages. Omits a list that only one of the pages has, because it would be incomplete. */
const joinLists = (first: CachedConnection, second: CachedConnection) =>
  Object.fromEntries(
    listNames.flatMap((name) => {
      const [head, tail] = [first[name], second[name]];
      return head && tail ? [[name, [...head, ...tail]]] : [];
    }),
  );

const withoutPages = ({ nodes, edges, pageInfo, ...rest }: CachedConnection) => rest;

/**
 * Returns the cache reference of each node of a page, or null for a node without a reference. Returns undefined if the page has neither
 * nodes nor edges.
 */
function itemsOf({ nodes, edges }: CachedConnection): (string | null)[] | undefined {
  const keyOf = (node: unknown) => (node as { __ref?: string } | null | undefined)?.__ref ?? null;
  return nodes?.map(keyOf) ?? edges?.map((edge) => keyOf((edge as { node?: unknown } | null)?.node));
}

/** Whether both pages list the same items. Also true if one of the pages has neither nodes nor edges. */
function isSamePage(existing: CachedConnection, incoming: CachedConnection): boolean {
  const [cachedItems, items] = [itemsOf(existing), itemsOf(incoming)];
  if (!cachedItems || !items) return true;
  return cachedItems.length === items.length && items.every((item, index) => item === cachedItems[index]);
}

/** Merges a page into the cached connection. A page that is not adjacent to the cached pages replaces them. */
export function mergePages(
  existing: CachedConnection | undefined,
  incoming: CachedConnection,
  args: Readonly<Record<string, unknown>> | null,
): CachedConnection {
  if (!existing) return incoming;
  const { pageInfo: cached } = existing;
  const { pageInfo: page } = incoming;
  const rest = { ...withoutPages(existing), ...withoutPages(incoming) };
  if (args?.after && args.after === cached?.endCursor) {
    const { startCursor, hasPreviousPage } = cached;
    return { ...rest, ...joinLists(existing, incoming), ...(page && { pageInfo: { ...page, startCursor, hasPreviousPage } }) };
  }
  if (args?.before && args.before === cached?.startCursor) {
    const { endCursor, hasNextPage } = cached;
    return { ...rest, ...joinLists(incoming, existing), ...(page && { pageInfo: { ...page, endCursor, hasNextPage } }) };
  }
  if (args?.after || args?.before || !isSamePage(existing, incoming)) return { ...withoutPages(existing), ...incoming };
  return { ...existing, ...incoming, ...((cached || page) && { pageInfo: { ...cached, ...page } }) };
}
