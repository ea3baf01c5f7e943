import { module } from '../../kernel/serve/module.js';
import { Deprecation } from './deprecation.js';
import { DeprecationResolver } from './deprecation-resolver.js';
import { GraphUsageFields, GraphUsageOfReport } from './graph-usage-resolver.js';
import { FailedJobsResolver } from './operations/failed-jobs-resolver.js';
import { ServiceHealthResolver } from './operations/service-health.js';
import { RouteUsageFields } from './route-resolver.js';
import { ShadowUsageFields, ShadowUsageOfReport } from './shadow-resolver.js';
import { CallerUsageFields, RoutesTogetherFields, UsageResolver } from './usage-resolver.js';
import { deleteOldUsage } from './usage-sql.js';

/** Usage of the legacy interface `/v1` and of the graph, deprecations of `/v1` routes, and the operation of the service. */
export const usage = module({
  name: 'usage',
  description: 'Usage of `/v1` and of the graph, deprecations of `/v1` routes, and the operation of the service.',
  records: [Deprecation],
  resolvers: [
    UsageResolver,
    CallerUsageFields,
    RoutesTogetherFields,
    RouteUsageFields,
    GraphUsageOfReport,
    GraphUsageFields,
    ShadowUsageOfReport,
    ShadowUsageFields,
    DeprecationResolver,
    FailedJobsResolver,
    ServiceHealthResolver,
  ],
  dailyJobs: [{ name: 'forget-usage', run: deleteOldUsage }],
});
