/** A connection as a cache stores it. Its fields depend on the selections of the queries. */
export interface CachedConnection {
  readonly nodes?: readonly unknown[];
  readonly edges?: readonly unknown[];
  readonly pageInfo?: Readonly<Record<string, unknown>>;
}

const listNames = ['nodes', 'edges'] as const;

/** Joins the lists of two adjacent pages. Omits a list that only one page has, because it would be incomplete. */
const joinLists = (first: CachedConnection, second: CachedConnection) =>
  Object.fromEntries(
    listNames.flatMap((name) => {
      const [head, tail] = [first[name], second[name]];
      return head && tail ? [[name, [...head, ...tail]]] : [];
    }),
  );

const withoutPages = ({ nodes, edges, pageInfo, ...rest }: CachedConnection) => rest;

/** Cache keys of the items of a page: the reference of each node, or null without one. Undefined if the page has neither nodes nor edges. */
function itemsOf({ nodes, edges }: CachedConnection): (string | null)[] | undefined {
  const keyOf = (node: unknown) => (node as { __ref?: string } | null | undefined)?.__ref ?? null;
  return nodes?.map(keyOf) ?? edges?.map((edge) => keyOf((edge as { node?: unknown } | null)?.node));
}

/** Whether the incoming page has the same items as the cached one. It then adds fields to the same page. */
function isSamePage(existing: CachedConnection, incoming: CachedConnection): boolean {
  const [cached, items] = [itemsOf(existing), itemsOf(incoming)];
  if (!cached || !items) return true;
  return cached.length === items.length && items.every((item, index) => item === cached[index]);
}

/** Merges a page into the cached connection. A page that is not adjacent to the cached ones replaces them. */
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
