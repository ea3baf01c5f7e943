import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { missingPrograms, requires } from '../../support/prerequisites.js';
import { scratchDirectory } from '../../support/servers/service-process.js';

const run = promisify(execFile);
const rulesFile = 'docs/deploy/prometheus-rules.yml';
const rules: { alert?: string }[] = parse(readFileSync(rulesFile, 'utf8')).groups.flatMap(
  (group: { rules: object[] }) => group.rules,
);
const alerts = rules.flatMap(({ alert = [] }) => alert);

/** Values of the metrics of one process, one per minute, keyed by metric and labels. */
type Series = Readonly<Record<string, string>>;

const requests = (interface_: string) => `courtside_interface_requests_total{interface="${interface_}"}`;
const serverErrors = (status: number) => `courtside_server_errors_total{interface="v1",status="${status}"}`;
const jobs = (queue: string, state: string) => `courtside_jobs{queue="${queue}",state="${state}"}`;

/** Values of a healthy process during an hour. */
const healthy: Series = {
  up: '1x60',
  [requests('v1')]: '0+660x60',
  [requests('graphql')]: '0+600x60',
  'courtside_graphql_errors_total{code="BAD_INPUT"}': '0+60x60',
  'courtside_graphql_errors_total{code="INTERNAL"}': '0x60',
  'courtside_request_duration_seconds_bucket{route="/v1/data/teams",le="1"}': '0+659x60',
  'courtside_request_duration_seconds_count{route="/v1/data/teams"}': '0+660x60',
  courtside_change_log_lag_seconds: '1x60',
  'courtside_messages_total{kind="mail",outcome="sent"}': '0+10x60',
  'courtside_messages_total{kind="mail",outcome="failed"}': '0+1x60',
  'courtside_messages_total{kind="mail",outcome="dead"}': '0x60',
  [jobs('mail', 'waiting')]: '5x60',
  [jobs('dead', 'dead')]: '100x60',
  'courtside_request_slots{state="waiting"}': '0 40 0 40 0 40 0x54',
  'courtside_pool_connections{database="primary",state="waiting"}': '0 10 0x58',
  nodejs_eventloop_lag_p99_seconds: '0.05x60',
  process_resident_memory_bytes: '500000000x60',
  process_start_time_seconds: '100 200x59',
  courtside_migrations_pending: '3x5 0x54',
  'courtside_replicas{state="excluded"}': '0x60',
  courtside_webhook_deliveries_waiting: '2000-10x60',
  'courtside_database_errors_total{cause="deadlock"}': '0+1x60',
  'courtside_build_info{version="0.2.0"}': '1x60',
};

/** Values that trigger each alert, within an hour. All other values are from a healthy process. */
const faults: Readonly<Record<string, Series>> = {
  CourtsideErrorBudgetBurnsFast: { [serverErrors(503)]: '0+20x60' },
  CourtsideProcessDown: { 'up{instance="b"}': '1x50 0x10' },
  CourtsideRestarts: { process_start_time_seconds: '100x40 200x5 300x5 400x10' },
  CourtsideUnexpectedErrors: { [serverErrors(500)]: '0x50 0+1x9' },
  CourtsideOverload: { 'courtside_request_slots{state="waiting"}': '0x40 5x20' },
  CourtsideEventLoopBlocked: { nodejs_eventloop_lag_p99_seconds: '0.8x60' },
  CourtsideMemoryHigh: { process_resident_memory_bytes: '900000000x60' },
  CourtsideDatabaseErrors: { 'courtside_database_errors_total{cause="disk full"}': '0x50 0+30x10' },
  CourtsideDatabaseSlow: { 'courtside_database_errors_total{cause="lock timeout"}': '0+30x60' },
  CourtsideConnectionsExhausted: { 'courtside_pool_connections{database="primary",state="waiting"}': '3x60' },
  CourtsideMigrationsPending: { courtside_migrations_pending: '1x60' },
  CourtsideReplicaExcluded: { 'courtside_replicas{state="excluded"}': '1x60' },
  CourtsideChangeLogLag: { courtside_change_log_lag_seconds: '1x55 60x5' },
  CourtsideDeadMessages: { [jobs('dead', 'dead')]: '100x50 101x10' },
  CourtsideMessagesWaiting: { [jobs('mail', 'failed')]: '80x60' },
  CourtsideWebhooksWaiting: { courtside_webhook_deliveries_waiting: '1000+10x60' },
  CourtsideLimitRefusals: { 'courtside_limit_refusals_total{limit="address.passwords"}': '0+90x60' },
  CourtsideWebhookPaused: { 'courtside_webhook_deliveries_total{outcome="paused"}': '0x50 1x10' },
};

/** Values that trigger alerts after more than two hours. */
const slowFaults: typeof faults = {
  CourtsideErrorBudgetBurnsSlowly: {
    [requests('v1')]: '0+660x130',
    [serverErrors(503)]: '0+2x130',
  },
  CourtsideDown: { up: '1x127 0x3' },
  CourtsideSeveralReleases: {
    'courtside_build_info{version="0.1.0"}': '1x130',
    'courtside_build_info{version="0.2.0"}': '1x130',
  },
};

/** Adds the labels that Prometheus adds to the metrics of a process. */
const scraped = (name: string): string => {
  const [, metric = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(name) ?? [];
  const instance = labels.includes('instance=') ? '' : ',instance="a"';
  return `${metric}{job="courtside"${instance}${labels && `,${labels}`}}`;
};

/** Runs unit tests of rules, and returns the output. */
async function runRuleTests(ruleTests: object): Promise<string> {
  const file = join(await scratchDirectory(), 'rules.test.yml');
  await writeFile(file, stringify(ruleTests));
  const { stdout, stderr } = await run('promtool', ['test', 'rules', file]).catch((error) => error);
  return `${stdout}${stderr}`;
}

describe('promtool', requires(missingPrograms('prometheus')), () => {
  test('accepts the rules', async () => {
    const { stdout } = await run('promtool', ['check', 'rules', '--lint-fatal', rulesFile]);
    expect(stdout).toContain(`${rules.length} rules found`);
  });

  test('each alert fires for its fault, and a healthy process causes no alert', { timeout: 60_000 }, async () => {
    const scenarios = [
      { name: 'healthy', faults: {}, minutes: 59 },
      { name: 'faults', faults, minutes: 59 },
      { name: 'slow faults', faults: slowFaults, minutes: 130 },
    ];
    const tests = scenarios.map(({ name, faults: triggered, minutes }) => ({
      name,
      interval: '1m',
      input_series: Object.entries(Object.assign({}, healthy, ...Object.values(triggered))).map(([series, values]) => ({
        series: scraped(series),
        values,
      })),
      promql_expr_test: [
        {
          expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${minutes}m`,
          exp_samples: Object.keys(triggered).map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
        },
      ],
    }));
    expect(await runRuleTests({ rule_files: [resolve(rulesFile)], evaluation_interval: '1m', tests })).toContain('SUCCESS');
  });
});

test(
  'the query of the monitoring page includes the first request of a route',
  requires(missingPrograms('prometheus')),
  async () => {
    const [, query] = /```promql\n(.*)\n```/.exec(readFileSync('docs/monitoring.md', 'utf8')) ?? [];
    const series = (route: string) => scraped(`courtside_requests_total{route="${route}",status="200"}`);
    const tests = [
      {
        interval: '1m',
        input_series: [
          { series: series('/frequent'), values: '0+2x120' },
          { series: series('/rare'), values: '_x90 1x30' },
        ],
        promql_expr_test: [
          {
            expr: query,
            eval_time: '120m',
            exp_samples: [
              { labels: '{route="/frequent",status="200"}', value: 120 },
              { labels: '{route="/rare",status="200"}', value: 1 },
            ],
          },
        ],
      },
    ];
    expect(await runRuleTests({ tests })).toContain('SUCCESS');
  },
);

test('each alert has a test', () => {
  expect(Object.keys({ ...faults, ...slowFaults }).toSorted()).toEqual(alerts.toSorted());
});
