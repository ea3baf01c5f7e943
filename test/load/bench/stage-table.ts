import { type Stage, stages } from './stages.js';

/** Processor time of one request in µs. */
export interface StageTimes {
  readonly title: string;
  /** Parts of the service's own time, from 0 to 1. */
  readonly shares: Readonly<Record<Stage, number>>;
  readonly own: number;
  readonly database: number;
}

/** What takes less than that is told with its tenths. */
const written = (time: number): string => time.toFixed(time < 10 ? 1 : 0);

/** The head of a table whose rows are workloads. */
export const stageHead = (): string =>
  [`| workload | ${stages.join(' | ')} | in all | PostgreSQL | usage, of all |`, `|---|${'--:|'.repeat(stages.length + 3)}`].join(
    '\n',
  );

/** A workload's row: the time of each stage, and the part of it that counting its calls and announcing its end takes. */
export const stageRow = ({ title, shares, own, database }: StageTimes): string => {
  const times = [...stages.map((stage) => shares[stage] * own), own, database].map(written);
  return `| ${[title, ...times, `${(shares.usage * 100).toFixed(2)} %`].join(' | ')} |`;
};
