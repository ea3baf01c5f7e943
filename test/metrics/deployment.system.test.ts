import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../src/process/port.js';
import { missingPrograms, programPath, requires } from '../support/prerequisites.js';
import { type Service, scratchDirectory, startService } from '../support/servers/service-process.js';
import { type Database, freshDatabase } from '../support/servers/test-database.js';

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly annotations?: { readonly runbook_url: string };
}

const rulesFile = 'docs/deploy/prometheus-rules.yml';
const rules: Rule[] = parse(readFileSync(rulesFile, 'utf8')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules);
const panels: { title: string; targets: { expr: string }[] }[] = JSON.parse(
  readFileSync('docs/deploy/grafana-dashboard.json', 'utf8'),
).panels;
const expressions = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);

test('each alert links to its section in the runbooks, and each section belongs to an alert', () => {
  const page = readFileSync('docs/deploy/runbooks.md', 'utf8');
  const headings = [...page.matchAll(/^## (Courtside\w+)$/gm)].map(([, name = '']) => name);
  const links = rules.flatMap(({ alert, annotations }) => (alert ? [[alert, annotations?.runbook_url]] : []));
  expect(Object.fromEntries(links)).toEqual(
    Object.fromEntries(headings.map((name) => [name, `docs/deploy/runbooks.md#${name.toLowerCase()}`])),
  );
});

describe('the rules and the dashboard, with a running service', requires(missingPrograms('prometheus')), () => {
  let database: Database;
  let service: Service;
  let port: number;
  beforeAll(async () => {
    [database, port] = [await freshDatabase(), await freePort()];
    service = await startService({
      DATABASE_URL: database.url,
      METRICS_PORT: String(port),
      HOST: 'localhost',
      BOOTSTRAP_PLATFORM_TOKEN: 'the-token-of-the-platform',
    });
  }, 60_000);
  afterAll(async () => {
    service.signal('SIGINT');
    await service.exit;
    await database.drop();
  });

  test('every metric in the rules and the dashboard is exported', async () => {
    const names = new Set(
      expressions.flatMap((expression) => expression.match(/\b(?<!:)(?:courtside|process|nodejs)_\w+/g) ?? []),
    );
    const text = await (await fetch(`http://localhost:${port}/metrics`)).text();
    const exported = new Set(
      [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`] : [name],
      ),
    );
    expect(names.size).toBeGreaterThan(20);
    expect([...names].filter((name) => !exported.has(name))).toEqual([]);
  });

  test('each counter in the rules exists before its first event, so that increase() includes that event', async () => {
    const text = await (await fetch(`http://localhost:${port}/metrics`)).text();
    const lines = text.split('\n').filter((line) => !line.startsWith('#'));
    const hasSample = (name: string, label: string, value: string) =>
      lines.some((line) => line.startsWith(name) && line.includes(`${label}="${value}"`));
    const counters = rules.flatMap(({ expr }) => [...expr.matchAll(/\b(courtside_\w+_total)\{(.*?)\}/g)]);
    const missing = counters.flatMap(([, name = '', labels = '']) =>
      [...labels.matchAll(/(\w+)=~?"(.*?)"/g)].flatMap(([, label = '', values = '']) =>
        values.split('|').flatMap((value) => (label === 'job' || hasSample(name, label, value) ? [] : [`${name} ${value}`])),
      ),
    );
    expect({ counters: new Set(counters.map(([, name]) => name)).size, missing: [...new Set(missing)] }).toEqual({
      counters: 7,
      missing: [],
    });
  });

  test('the queries of the dashboard return data from a real Prometheus', { timeout: 60_000 }, async () => {
    const directory = await scratchDirectory();
    const [configuration, prometheusPort] = [join(directory, 'prometheus.yml'), await freePort()];
    const job = { job_name: 'courtside', scrape_interval: '1s', static_configs: [{ targets: [`localhost:${port}`] }] };
    // JSON is valid YAML.
    writeFileSync(configuration, JSON.stringify({ scrape_configs: [job], rule_files: [join(process.cwd(), rulesFile)] }));
    const prometheus = spawn(programPath('prometheus') ?? '', [
      `--config.file=${configuration}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=localhost:${prometheusPort}`,
    ]);
    try {
      const run = async (query: string) => {
        const response = await fetch(`http://localhost:${prometheusPort}/api/v1/query?query=${encodeURIComponent(query)}`);
        return (await response.json()) as { status: string; error?: string; data?: { result: { value: [number, string] }[] } };
      };
      await expect.poll(async () => (await run('up{job="courtside"}').catch(() => null))?.data?.result[0]?.value[1]).toBe('1');
      const token = { 'pb-api-token': 'the-token-of-the-platform' };
      const poll = { ...token, 'if-none-match': '"unknown"' };
      const operation = { method: 'POST', headers: { ...token, 'content-type': 'application/json' } };
      const emptyPanels = async () => {
        // The second query fails, so that the metrics contain an error code.
        for (const query of ['{ roles { totalCount } }', '{ unknown }'])
          await (await fetch(`${service.origin}/graphql`, { ...operation, body: JSON.stringify({ query }) })).text();
        await (await fetch(`${service.origin}/v1/data/teams`, { headers: poll })).text();
        const results = await Promise.all(
          panels.flatMap(({ title, targets }) =>
            targets.map(async ({ expr }) => {
              const query = expr
                .replaceAll('$__rate_interval', '5s')
                .replaceAll('$job', 'courtside')
                .replaceAll('$instance', '.*');
              const { status, error, data } = await run(query);
              return { title, problem: status === 'success' ? data?.result.length === 0 && 'no data' : error };
            }),
          ),
        );
        return [...new Set(results.flatMap(({ title, problem }) => (problem ? [`${title}: ${problem}`] : [])))];
      };
      // These panels need replicas or jobs.
      const expected = ['Replica lag', 'Jobs'];
      await expect.poll(emptyPanels, { interval: 1_000 }).toEqual(expected.map((title) => `${title}: no data`));
    } finally {
      prometheus.kill();
    }
  });
});
