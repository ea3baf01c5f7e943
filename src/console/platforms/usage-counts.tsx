import { Facts } from '../elements/facts.tsx';
import { DateTime, formatNumber } from '../elements/formats.tsx';
import type { Column } from '../elements/table.tsx';
import type { UsageCounts } from './usage-documents.ts';

const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Formats a number of errors with its share of all calls, such as `12 (0.3%)`. */
const errorText = (errors: number, calls: number): string =>
  errors > 0 && calls > 0 ? `${formatNumber(errors)} (${percents.format(errors / calls)})` : formatNumber(errors);

const milliseconds = (value: number | null): string => (value === null ? '–' : `${formatNumber(Math.round(value))} ms`);

interface UsageCountListProps {
  /** What is counted, such as "Calls". */
  readonly label: string;
  readonly counts: UsageCounts;
}

/** Call count, error counts and response times. */
export const UsageCountList = ({ label, counts }: UsageCountListProps) => (
  <Facts
    facts={[
      [label, formatNumber(counts.calls)],
      ['Client errors', errorText(counts.clientErrors, counts.calls)],
      ['Server errors', errorText(counts.serverErrors, counts.calls)],
      ['Median time', milliseconds(counts.p50)],
      ['95th percentile', milliseconds(counts.p95)],
      ['Last', <DateTime at={counts.lastSeenAt} />],
    ]}
  />
);

/** Returns the table columns that show counts. */
export const usageCountColumns = <Row extends { readonly counts: UsageCounts }>(label: string): Column<Row>[] => [
  { title: label, isNumber: true, cell: ({ counts }) => formatNumber(counts.calls) },
  { title: 'Client errors', isNumber: true, cell: ({ counts }) => errorText(counts.clientErrors, counts.calls) },
  { title: 'Server errors', isNumber: true, cell: ({ counts }) => errorText(counts.serverErrors, counts.calls) },
  { title: '95th percentile', isNumber: true, cell: ({ counts }) => milliseconds(counts.p95) },
  { title: 'Last', cell: ({ counts }) => <DateTime at={counts.lastSeenAt} /> },
];
