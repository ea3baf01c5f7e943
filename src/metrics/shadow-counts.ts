import { Counter, type Registry } from 'prom-client';
import { shadowDifferences, shadowOutcomes } from '../replay/shadow/counts.js';

/** Adds metrics of shadow reads at the old server. */
export function addShadowCounts(registers: Registry[]): void {
  new Counter({
    name: 'courtside_shadow_reads_total',
    help: 'Reads of `/v1` that were also sent to the old server, by outcome: same, different, unanswered or dropped.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(shadowOutcomes() ?? {})) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'courtside_shadow_differences_total',
    help: 'Responses that differ from those of the old server, by route, kind of difference and JSON path.',
    labelNames: ['route', 'kind', 'path'],
    registers,
    collect() {
      this.reset();
      for (const { route, kind, path, count } of shadowDifferences() ?? []) this.inc({ route, kind, path }, count);
    },
  });
}
