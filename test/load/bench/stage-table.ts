import { type Stage, stages } from './stages.js';

/** CPU time of one request in µs. */
export interface StageTimes {
  readonly title: string;
  /** Shares of the CPU time of the service, from 0 to 1. */
  readonly shares: Readonly<Record<Stage, number>>;
  readonly own: number;
  readonly database: number;
}

/** Formats a time. Times below 10 µs have one decimal. */
const written = (time: number): string => time.toFixed(time < 10 ? 1 : 0);

/** Returns the header of a table with one row per workload. */
export const stageHead = (): string =>
  [`| workload | ${stages.join(' | ')} | total | PostgreSQL | share of usage |`, `|---|${'--:|'.repeat(stages.length + 3)}`].join(
    '\n',
  );

/** Returns the row of a workload: the time of each stage, and the share of the time that usage counters and deprecation headers take. */
export const stageRow = ({ title, shares, own, database }: StageTimes): string => {
  const times = [...stages.map((stage) => shares[stage] * own), own, database].map(written);
  return `| ${[title, ...times, `${(shares.usage * 100).toFixed(2)} %`].join(' | ')} |`;
};
