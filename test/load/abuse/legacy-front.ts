import { codecsOf } from '../../../compat/engine/index.js';
import { legacyRecords } from '../../../compat/index.js';
import { graphOfModules } from '../../../src/graphql/graph.js';
import type { RequestKind } from './campaign.js';
import { legacyChecks } from './legacy-checks.js';
import { entries, type LegacyCase, legacyCase } from './legacy-requests.js';
import type { Pools } from './pools.js';
import type { RefusedRequest } from './refused.js';
import type { ReceivedResponse } from './wire.js';

const isRefused = ({ status }: ReceivedResponse): boolean => status >= 400 && status < 500;

/** Returns the generator of `/v1` requests. */
export function legacyFront(pools: Pools) {
  const schema = graphOfModules();
  const codecs = codecsOf(schema, legacyRecords, () => undefined);
  const answered = new Set<string>();
  const refused: RefusedRequest[] = [];
  const front: RequestKind<LegacyCase> = {
    name: 'v1',
    make: (draw, number) => legacyCase(draw, number, pools, codecs),
    check: legacyChecks(schema),
    onResponse({ entry: { method, path }, sent, isWhole, number }, response) {
      if (isWhole && response.status > 0 && response.status < 400) answered.add(`${method} ${path}`);
      if (isRefused(response) && sent.method !== 'HEAD') refused.push({ case: `v1:${number}`, sent });
    },
  };
  const missing = () => entries.map(({ method, path }) => `${method} ${path}`).filter((name) => !answered.has(name));
  return {
    ...front,
    isRefused,
    refused: () => refused,
    figures: () =>
      `requests of /v1 (${answered.size} of ${entries.length} routes also returned a status below 400${process.env.ABUSE_MISSING ? `; not ${missing().join(', ')}` : ''})`,
  };
}
