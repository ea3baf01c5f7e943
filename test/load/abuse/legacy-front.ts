import { codecsOf } from '../../../compat/engine/index.js';
import { legacyRecords } from '../../../compat/index.js';
import { graphOfModules } from '../../../src/gateway/graph.js';
import type { Front } from './campaign.js';
import { legacyChecks } from './legacy-checks.js';
import { entries, type LegacyCase, legacyCase } from './legacy-requests.js';
import type { Pools } from './pools.js';
import type { Refused } from './refused.js';
import type { Got } from './wire.js';

const isRefused = ({ status }: Got): boolean => status >= 400 && status < 500;

/** Requests to `/v1`. */
export function legacyFront(pools: Pools) {
  const schema = graphOfModules();
  const codecs = codecsOf(schema, legacyRecords, () => undefined);
  const answered = new Set<string>();
  const refused: Refused[] = [];
  const front: Front<LegacyCase> = {
    name: 'v1',
    make: (draw, number) => legacyCase(draw, number, pools, codecs),
    check: legacyChecks(schema),
    seen({ entry: { method, path }, sent, isWhole, number }, got) {
      if (isWhole && got.status > 0 && got.status < 400) answered.add(`${method} ${path}`);
      if (isRefused(got) && sent.method !== 'HEAD') refused.push({ case: `v1:${number}`, sent });
    },
  };
  const missing = () => entries.map(({ method, path }) => `${method} ${path}`).filter((name) => !answered.has(name));
  return {
    ...front,
    isRefused,
    refused: () => refused,
    figures: () =>
      `requests of /v1 (${answered.size} of ${entries.length} routes also answered below 400${process.env.ABUSE_MISSING ? `; not ${missing().join(', ')}` : ''})`,
  };
}
