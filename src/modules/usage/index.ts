import { module } from '../../kernel/serve/module.js';
import { Deprecation } from './deprecation.js';
import { DeprecationResolver } from './deprecation-resolver.js';
import { RouteFields } from './route-resolver.js';
import { ShadowFields, ShadowOfUsage } from './shadow-resolver.js';
import { CallerFields, TogetherFields, UsageResolver } from './usage-resolver.js';
import { forgetUsage } from './usage-sql.js';

/** Which routes of the legacy interface are still called, by whom, and which of them are to go. */
export const usage = module({
  name: 'usage',
  description: 'Which routes of `/v1` are called by whom, and which of them are to go.',
  records: [Deprecation],
  resolvers: [UsageResolver, CallerFields, TogetherFields, RouteFields, ShadowOfUsage, ShadowFields, DeprecationResolver],
  daily: [{ name: 'forget-usage', run: forgetUsage }],
});
