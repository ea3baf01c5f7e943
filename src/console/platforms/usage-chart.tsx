import { CalendarDate, formatNumber } from '../elements/formats.tsx';
import type { UsageDay } from './usage-documents.ts';

const height = 120;

interface UsageChartProps {
  /** What is counted, such as "Calls to /v1". */
  readonly label: string;
  readonly days: readonly UsageDay[];
}

/** Bar chart with one bar per day. A table contains the same data, for screen readers and exact numbers. */
export function UsageChart({ label, days }: UsageChartProps) {
  const calls = days.map((day) => day.counts.calls);
  const [first, last] = [days[0], days.at(-1)];
  const maxCalls = Math.max(1, ...calls);
  if (!first || !last) return null;
  return (
    <>
      <figure class="burn">
        <svg
          class="chart"
          viewBox={`0 0 ${days.length * 10} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${label} per day: ${formatNumber(last.counts.calls)} on the last day, at most ${formatNumber(Math.max(...calls))}.`}
        >
          {days.map(({ day, counts }, index) => {
            const barHeight = counts.calls === 0 ? 1 : Math.max(2, (counts.calls / maxCalls) * (height - 2));
            return (
              <rect
                key={day}
                x={index * 10 + 1}
                y={height - barHeight}
                width={8}
                height={barHeight}
                class={counts.calls === 0 ? 'bar-none' : 'bar-of'}
              />
            );
          })}
        </svg>
        <figcaption class="quiet small">
          <CalendarDate date={first.day} />
          <CalendarDate date={last.day} />
        </figcaption>
      </figure>
      <details>
        <summary>{label} per day</summary>
        <div class="table">
          <table>
            <caption class="hidden">{label} per day</caption>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col" class="number">
                  Number
                </th>
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map(({ day, counts }) => (
                <tr key={day}>
                  <th scope="row">
                    <CalendarDate date={day} />
                  </th>
                  <td class="number">{formatNumber(counts.calls)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}
