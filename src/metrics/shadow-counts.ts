import { Counter, type Registry } from 'prom-client';
import { shadowDifferences, shadowOutcomes } from '../shadow/counts.js';

/** Metrics of shadow reads at the old server. */
export function addShadowCounts(registers: Registry[]): void {
  new Counter({
    name: 'courtside_shadow_reads_total',
    help: 'Reads of `/v1` that the old server was asked, too: its answer was the same or different, it gave none, or the read was dropped.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(shadowOutcomes() ?? {})) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'courtside_shadow_differences_total',
    help: 'Answers that are not those of the old server, by route, kind of difference and path in the JSON.',
    labelNames: ['route', 'kind', 'path'],
    registers,
    collect() {
      this.reset();
      for (const { route, kind, path, count } of shadowDifferences() ?? []) this.inc({ route, kind, path }, count);
    },
  });
}
