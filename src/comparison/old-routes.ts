import findMyWay from 'find-my-way';
import { type Entry, entriesOf, methods } from '../../compat/engine/route.js';
import { legacyRoutes } from '../../compat/index.js';

/** What is known of a request by its method and path. */
export interface OldRoute {
  /** `GET /v1/data/teams/{uuid}`; null for what is no route. */
  readonly name: string | null;
  /** It changes something, or nobody knows that it does not. */
  readonly writes: boolean;
  /** The values of the path, by their names. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

const isMutation = ({ alternatives }: Entry) => alternatives.some(({ run }) => /^\s*mutation\b/.test(run));

/** Finds the route of requests, from the tables of the legacy interface. */
export function oldRoutes(): (method: string, url: string) => OldRoute {
  const router = findMyWay({
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: 16_384,
    onBadUrl: () => {},
  });
  for (const entry of entriesOf(legacyRoutes)) {
    const name = `${entry.method} ${entry.path}`;
    const pattern = entry.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.on(entry.method, pattern, () => {}, { name, writes: entry.method !== 'GET' || isMutation(entry) });
  }
  return (method, url) => {
    const asked = methods.find((each) => each === (method === 'HEAD' ? 'GET' : method));
    const found = asked ? router.find(asked, url) : null;
    const isRead = method === 'GET' || method === 'HEAD';
    // A HEAD changes nothing, also where the GET does.
    const writes = method === 'HEAD' ? false : (found?.store?.writes ?? !isRead);
    return { name: found?.store?.name ?? null, writes, params: found?.params ?? {} };
  };
}
