/** Measurements of one interval. */
export interface IntervalStats {
  /** Number of requests. */
  readonly answers: number;
  /** Percentiles of the response times, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Resident memory, in megabytes. */
  readonly resident: number;
  readonly files: number;
  readonly handles: number;
  readonly listeners: number;
  /** Number of database connections. */
  readonly connections: number;
}

const blocks = '▁▂▃▄▅▆▇█';

/** Returns a line chart of block characters, from zero to the highest value. */
function line(values: readonly number[]): string {
  const highest = Math.max(...values, 1e-9);
  return values.map((value) => blocks[Math.min(blocks.length - 1, Math.floor((value / highest) * blocks.length))]).join('');
}

const rounded = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)));

/** Maximum number of columns in a chart. */
const widest = 60;

/** Replaces groups of adjacent values with their median, so that the chart is not too wide. */
function columns(values: readonly number[]): number[] {
  const size = Math.ceil(values.length / widest);
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    median(values.slice(index * size, (index + 1) * size)),
  );
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Returns a quantile of values. `part` is from 0 to 1. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

const rows = {
  'requests/s': ({ answers }: IntervalStats, seconds: number) => answers / seconds,
  'p50 ms': ({ p50 }: IntervalStats) => p50,
  'p99 ms': ({ p99 }: IntervalStats) => p99,
  'resident MB': ({ resident }: IntervalStats) => resident,
  'open files': ({ files }: IntervalStats) => files,
  handles: ({ handles }: IntervalStats) => handles,
  listeners: ({ listeners }: IntervalStats) => listeners,
  connections: ({ connections }: IntervalStats) => connections,
};

/** Returns a text chart of the intervals. `seconds` is the length of an interval. */
export function chartOf(intervals: readonly IntervalStats[], seconds: number): string {
  return Object.entries(rows)
    .map(([name, rowValues]) => {
      const values = intervals.map((each) => rowValues(each, seconds));
      const [lowest, middle, highest] = [Math.min(...values), median(values), Math.max(...values)].map(rounded);
      return `${name.padEnd(12)} ${line(columns(values))}  ${lowest} – ${middle} – ${highest}`;
    })
    .join('\n');
}

/** Permitted growth from the first to the last third of the run. */
const flat: Partial<Record<keyof typeof rows, { times: number; plus: number }>> = {
  // Allows for uncollected garbage. A leak would keep growing.
  'resident MB': { times: 1.1, plus: 10 },
  'p50 ms': { times: 1.25, plus: 2 },
  'p99 ms': { times: 1.5, plus: 20 },
  'open files': { times: 1, plus: 5 },
  handles: { times: 1, plus: 5 },
  listeners: { times: 1, plus: 0 },
  connections: { times: 1, plus: 2 },
};

/**
 * Returns the values that are higher in the last third than in the first, ignoring the first minute. Medians exclude short pauses of the
 * machine.
 */
export function growthOf(intervals: readonly IntervalStats[], seconds: number): string[] {
  const counted = intervals.slice(Math.ceil(60 / seconds));
  const third = Math.floor(counted.length / 3);
  if (third < 2) return ['the run was too short to detect growth'];
  return Object.entries(flat).flatMap(([name, { times, plus }]) => {
    const rowValues = rows[name as keyof typeof rows];
    const [first, last] = [counted.slice(0, third), counted.slice(-third)].map((part) =>
      median(part.map((each) => rowValues(each, seconds))),
    );
    if (first === undefined || last === undefined || last <= first * times + plus) return [];
    return [`${name} grew from ${rounded(first)} to ${rounded(last)}`];
  });
}
