const dateTimes = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const zonedDateTimes = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' });
const secondDateTimes = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const numbers = new Intl.NumberFormat('en');

/** Formats a time. Returns any other text unchanged, such as a filter in a URL. */
export const formatTime = (format: Intl.DateTimeFormat, time: string): string => {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : format.format(date);
};

/** Instant in the time zone of the viewer, with or without seconds. The tooltip names the zone. */
export const DateTime = ({ at, hasSeconds = false }: { at: string | null | undefined; hasSeconds?: boolean }) =>
  at ? (
    <time dateTime={at} title={formatTime(zonedDateTimes, at)}>
      {formatTime(hasSeconds ? secondDateTimes : dateTimes, at)}
    </time>
  ) : (
    <>–</>
  );

/** Date without a time, such as a date of birth. It is the same in all time zones. */
export const CalendarDate = ({ date }: { date: string | null | undefined }) =>
  date ? <time dateTime={date}>{formatTime(dates, date)}</time> : <>–</>;

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a number of seconds with the largest unit that divides it evenly, such as `15 minutes`. */
export function formatDuration(seconds: number): string {
  const [unit, length] = units.find(([, length]) => seconds >= length && seconds % length === 0) ?? ['second', 1];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}

export const formatNumber = (value: number): string => numbers.format(value);
