/** What was seen in one interval. */
export interface Seen {
  /** Requests. */
  readonly answers: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Megabytes. */
  readonly resident: number;
  readonly files: number;
  readonly handles: number;
  readonly listeners: number;
  /** Connections to the database. */
  readonly connections: number;
}

const blocks = '▁▂▃▄▅▆▇█';

/** A line of blocks, from zero to the highest value. */
function line(values: readonly number[]): string {
  const highest = Math.max(...values, 1e-9);
  return values.map((value) => blocks[Math.min(blocks.length - 1, Math.floor((value / highest) * blocks.length))]).join('');
}

const rounded = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)));

/** Most columns of a chart. */
const widest = 60;

/** Neighbours together, so that the chart is not too wide. */
function columns(values: readonly number[]): number[] {
  const size = Math.ceil(values.length / widest);
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => median(values.slice(at * size, (at + 1) * size)));
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** A value that so much of all are not above. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

const rows = {
  'requests/s': ({ answers }: Seen, seconds: number) => answers / seconds,
  'p50 ms': ({ p50 }: Seen) => p50,
  'p99 ms': ({ p99 }: Seen) => p99,
  'resident MB': ({ resident }: Seen) => resident,
  'open files': ({ files }: Seen) => files,
  handles: ({ handles }: Seen) => handles,
  listeners: ({ listeners }: Seen) => listeners,
  connections: ({ connections }: Seen) => connections,
};

/** The intervals as a chart of text, each so many seconds long. */
export function chartOf(seen: readonly Seen[], seconds: number): string {
  return Object.entries(rows)
    .map(([name, of]) => {
      const values = seen.map((each) => of(each, seconds));
      const [lowest, middle, highest] = [Math.min(...values), median(values), Math.max(...values)].map(rounded);
      return `${name.padEnd(12)} ${line(columns(values))}  ${lowest} – ${middle} – ${highest}`;
    })
    .join('\n');
}

/** How much a value may be higher at the end than in the beginning. */
const flat: Partial<Record<keyof typeof rows, { times: number; plus: number }>> = {
  // Garbage comes and goes; what stays would go on growing.
  'resident MB': { times: 1.1, plus: 10 },
  'p50 ms': { times: 1.25, plus: 2 },
  'p99 ms': { times: 1.5, plus: 20 },
  'open files': { times: 1, plus: 5 },
  handles: { times: 1, plus: 5 },
  listeners: { times: 1, plus: 0 },
  connections: { times: 1, plus: 2 },
};

/** What is higher in the last third than in the first one, after the first minute: medians, so that a pause of the machine is none of it. */
export function growthOf(seen: readonly Seen[], seconds: number): string[] {
  const counted = seen.slice(Math.ceil(60 / seconds));
  const third = Math.floor(counted.length / 3);
  if (third < 2) return ['too little was seen to tell what grew'];
  return Object.entries(flat).flatMap(([name, { times, plus }]) => {
    const of = rows[name as keyof typeof rows];
    const [first, last] = [counted.slice(0, third), counted.slice(-third)].map((part) =>
      median(part.map((each) => of(each, seconds))),
    );
    if (first === undefined || last === undefined || last <= first * times + plus) return [];
    return [`${name} grew from ${rounded(first)} to ${rounded(last)}`];
  });
}
