import { useEffect, useState } from 'preact/hooks';
import { type Failure, listOf, type Query, useQuery, useRefresh, useSession, withLabels } from '../data/index.ts';
import { Field } from '../elements/field.tsx';
import { DateTime } from '../elements/formats.tsx';
import { Page } from '../elements/page.tsx';
import { QueryStates } from '../elements/query-states.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { changeSearch, hrefOf, useConsoleLocation } from '../router.ts';
import { DeprecationDialog } from './deprecation-dialog.tsx';
import { usePlatformOptions } from './platform-options.ts';
import { PlatformTabs } from './platform-tabs.tsx';
import { UsageChart } from './usage-chart.tsx';
import { UsageCountList, usageCountColumns } from './usage-counts.tsx';
import { type Caller, type CallerUsage, type FieldUsage, type RouteUsage, type Usage, UsageQuery } from './usage-documents.ts';

const callers: Readonly<Record<Caller, string>> = {
  PLATFORM: 'Platforms',
  USER: 'Users without a platform',
  ANONYMOUS: 'Callers without a valid token',
  OTHERS: 'Other platforms',
};
const isCaller = (value: string | null): value is Caller => value !== null && Object.hasOwn(callers, value);

const dayLabels = { from: 'First day', to: 'Last day' };

/** Usage of `/v1` and of the graph by all callers, or by one platform. */
export function UsagePage() {
  const { search } = useConsoleLocation();
  const platformId = search.get('platform');
  const caller = search.get('caller');
  const usage = useQuery(UsageQuery, {
    from: search.get('from'),
    to: search.get('to'),
    platformId,
    caller: isCaller(caller) && platformId === null ? caller : null,
  });
  const query = { ...usage, failure: withLabels(usage.failure, dayLabels) };
  useRefresh(query.reload, 10);
  return (
    <Page title="Usage">
      <PlatformTabs />
      <UsageFilters query={query} />
      <QueryStates query={query}>
        {({ platformUsage }) => platformUsage && <UsageReport query={query} usage={platformUsage} platformId={platformId} />}
      </QueryStates>
    </Page>
  );
}

function UsageFilters({ query }: { query: Query<unknown> }) {
  const { search } = useConsoleLocation();
  const platforms = usePlatformOptions();
  const platform = search.get('platform') ?? '';
  return (
    <div class="row filters">
      <Field
        label="Platform"
        name="platformId"
        type="select"
        value={platform}
        options={[['', 'All callers'], ...platforms]}
        failure={query.failure}
        onChange={(value) => changeSearch({ platform: value || null })}
      />
      {platform === '' && (
        <Field
          label="Kind of caller"
          name="caller"
          type="select"
          value={search.get('caller') ?? ''}
          options={[['', 'All kinds'], ...Object.entries(callers)]}
          onChange={(value) => changeSearch({ caller: value || null })}
        />
      )}
      <DayFilter name="from" hint="In UTC. Default: 29 days before the last day" failure={query.failure} />
      <DayFilter name="to" hint="In UTC. Default: today" failure={query.failure} />
    </div>
  );
}

/**
 * Earliest and latest day that the filters accept. The earliest day excludes years that the user has not finished typing, such as `0002`.
 */
const [minDay, maxDay] = ['2000-01-01', '9999-12-31'];

interface DayFilterProps {
  readonly name: keyof typeof dayLabels;
  readonly hint: string;
  readonly failure: Failure | null;
}

function DayFilter({ name, ...rest }: DayFilterProps) {
  const day = useConsoleLocation().search.get(name) ?? '';
  const [typed, setTyped] = useState(day);
  useEffect(() => setTyped(day), [day]);
  const change = (value: string) => {
    setTyped(value);
    if (value === '' || (value >= minDay && value <= maxDay)) changeSearch({ [name]: value || null }, { replaces: true });
  };
  return (
    <Field {...{ name, ...rest }} label={dayLabels[name]} type="date" min={minDay} max={maxDay} value={typed} onChange={change} />
  );
}

interface UsageReportProps {
  readonly query: Query<unknown>;
  readonly usage: Usage;
  /** Platform of the report. Null for all callers. */
  readonly platformId: string | null;
}

function UsageReport({ query, usage, platformId }: UsageReportProps) {
  const { viewer } = useSession();
  const [route, setRoute] = useState<string | null>(null);
  const { graph } = usage;
  return (
    <>
      <section aria-labelledby="graph">
        <h2 id="graph">Graph</h2>
        <UsageCountList label="Operations" counts={graph.counts} />
        <UsageChart label="Operations of the graph" days={graph.days} />
        <h3>Root fields</h3>
        <Table
          caption="Root fields of operations, most operations first"
          columns={fieldColumns}
          list={listOf(query, graph.fields)}
          keyOf={({ operation, field }) => `${operation} ${field}`}
          emptyText="No operation was sent in this period."
        />
        {platformId === null && <Callers query={query} callers={graph.callers} label="Operations" />}
      </section>
      <section aria-labelledby="v1">
        <h2 id="v1">/v1</h2>
        <UsageCountList label="Calls" counts={usage.counts} />
        <UsageChart label="Calls to /v1" days={usage.days} />
        <h3>Routes</h3>
        <Table
          caption="Called routes, most calls first"
          columns={routeColumns(viewer.isSuperAdmin ? setRoute : null)}
          list={listOf(query, usage.routes)}
          keyOf={({ route }) => route}
          emptyText="No route was called in this period."
        />
        {platformId === null && <Callers query={query} callers={usage.callers} label="Calls" />}
      </section>
      {route !== null && (
        <DeprecationDialog
          values={{ route, platformId: platformId ?? '' }}
          isNew
          onSave={query.reload}
          onClose={() => setRoute(null)}
        />
      )}
    </>
  );
}

const fieldColumns: readonly Column<FieldUsage>[] = [
  {
    title: 'Root field',
    cell: ({ operation, field }) => (
      <>
        {field} <span class="tag">{operation}</span>
      </>
    ),
  },
  ...usageCountColumns<FieldUsage>('Operations'),
];

/** Returns the columns of routes. `onDeprecate` is null for viewers who may not deprecate a route. */
const routeColumns = (onDeprecate: ((route: string) => void) | null): readonly Column<RouteUsage>[] => [
  {
    title: 'Route',
    cell: ({ route, referencePath }) => (referencePath ? <a href={referencePath}>{route}</a> : route),
  },
  ...usageCountColumns<RouteUsage>('Calls'),
  {
    title: 'Deprecation',
    cell: ({ route, end }) =>
      end ? (
        <>
          Deprecated{' '}
          {end.sunsetAt && (
            <>
              until <DateTime at={end.sunsetAt} />
            </>
          )}
        </>
      ) : onDeprecate ? (
        <button type="button" class="link" aria-label={`Deprecate ${route}`} onClick={() => onDeprecate(route)}>
          Deprecate…
        </button>
      ) : (
        '–'
      ),
  },
];

interface CallersProps {
  readonly query: Query<unknown>;
  readonly callers: readonly CallerUsage[];
  /** What is counted, such as "Calls". */
  readonly label: string;
}

const Callers = ({ query, callers: rows, label }: CallersProps) => (
  <>
    <h3>Callers</h3>
    <Table
      caption={`Callers, most ${label.toLowerCase()} first`}
      columns={[
        {
          title: 'Caller',
          cell: ({ caller, platformId, platform }: CallerUsage) =>
            platformId ? (
              <a href={hrefOf(['platforms', 'details', platformId])}>{platform?.title ?? platformId}</a>
            ) : (
              callers[caller]
            ),
        },
        ...usageCountColumns<CallerUsage>(label),
      ]}
      list={listOf(query, rows)}
      keyOf={({ caller, platformId }) => `${caller} ${platformId}`}
      emptyText="There were no calls in this period."
    />
  </>
);
