import { useQuery, useRefresh } from '../data/index.ts';
import { QueryStates } from '../elements/query-states.tsx';
import { hrefOf } from '../router.ts';
import { UsageChart } from './usage-chart.tsx';
import { UsageCountList } from './usage-counts.tsx';
import { UsageSummaryQuery } from './usage-documents.ts';

/** Usage of `/v1` and of the graph by a platform in the last 30 days. */
export function UsageSummary({ platformId }: { platformId: string }) {
  const query = useQuery(UsageSummaryQuery, { platformId });
  useRefresh(query.reload, 10);
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">Usage in the last 30 days</h2>
      <QueryStates query={query}>
        {({ platformUsage }) =>
          platformUsage && (
            <>
              <h3>Graph</h3>
              <UsageCountList label="Operations" counts={platformUsage.graph.counts} />
              <UsageChart label="Operations of the graph" days={platformUsage.graph.days} />
              <h3>/v1</h3>
              <UsageCountList label="Calls" counts={platformUsage.counts} />
              <UsageChart label="Calls to /v1" days={platformUsage.days} />
            </>
          )
        }
      </QueryStates>
      <p>
        <a href={hrefOf(['platforms', 'usage'], { platform: platformId })}>Show routes and root fields</a>
      </p>
    </section>
  );
}
