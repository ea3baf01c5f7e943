const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

const unitsOf = (factor: number, names: readonly string[]) => names.map((name, index) => [name, factor ** index] as const);
const byteUnits = unitsOf(1000, ['B', 'kB', 'MB', 'GB', 'TB']);
const timeUnits = [['s', 1] as const, ['min', 60] as const, ['h', 3600] as const, ['d', 86_400] as const];

/** Formats a value with the largest unit that does not exceed it. */
function formatIn(units: readonly (readonly [name: string, size: number])[], value: number): string {
  const [name, size] = units.findLast(([, size]) => value >= size) ?? units[0] ?? ['', 1];
  return `${number.format(value / size)} ${name}`;
}

/** Formats a number of bytes, such as "1.5 GB". */
export const formatBytes = (bytes: number): string => formatIn(byteUnits, bytes);

/** Formats a duration in seconds, such as "2.5 min". */
export const formatSeconds = (seconds: number): string => formatIn(timeUnits, seconds);
