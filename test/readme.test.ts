import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { passed } from '../src/commands/gateway/subgraph.js';
import { variables } from '../src/config.js';
import { limitRules } from '../src/modules/accounts/limit-rules.js';
import { allPages, pageOf, pages } from './support/pages.js';

const configuration = pageOf('docs/configuration.md');
const federation = pageOf('docs/federation.md');
const rows = variables.map(
  ({ name, fallback, description }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${description} |`,
);

test('the configuration page lists every variable with its default and what it is for', () => {
  expect(rows.filter((row) => !configuration.includes(row))).toEqual([]);
});

const timeOf = (seconds: number) => (seconds % 3_600 === 0 ? `${seconds / 3_600}h` : `${seconds / 60}m`);

test('the configuration page lists every limit with its default and what is counted', () => {
  const limits = Object.entries(limitRules).map(
    ([name, { quota, description }]) =>
      `| \`${name}\` | ${quota ? `\`${quota.points}/${timeOf(quota.duration)}\`` : 'none'} | ${description} |`,
  );
  expect(limits.filter((row) => !configuration.includes(row))).toEqual([]);
});

test('no page names a script that is not there', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = [...allPages.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

/** The settings of a YAML text in block style, as the ways to them; items of lists have no part in them. */
function settingsOf(yaml: string): string[] {
  const way: { indent: number; key: string }[] = [];
  return yaml.split('\n').flatMap((line) => {
    const [, before = '', key, value = ''] = /^(\s*(?:- )?)([\w-]+):(?: (.*))?$/.exec(line) ?? [];
    if (!key) return [];
    while ((way.at(-1)?.indent ?? -1) >= before.length) way.pop();
    way.push({ indent: before.length, key });
    return value ? [way.map((step) => step.key).join('.')] : [];
  });
}

/** What each router calls its settings: Apollo Router 2.13.1 in its published schema, Hive Router 0.2.0 in its source, which both refuse others. */
const settings = {
  'Apollo Router': [
    'headers.all.request.propagate.matching',
    'headers.all.request.insert.name',
    'headers.all.request.insert.value',
    'override_subgraph_url.rankings',
    'include_subgraph_errors.all',
    'traffic_shaping.all.timeout',
  ],
  'Hive Router': [
    'supergraph.source',
    'supergraph.path',
    'headers.all.request.propagate.named',
    'headers.all.request.insert.name',
    'headers.all.request.insert.value.from_env',
    'override_subgraph_urls.subgraphs.rankings.url',
    'error_masking.all.enabled',
    'traffic_shaping.all.request_timeout',
  ],
};

test.each(Object.entries(settings))('the configuration of %s has the names that it knows', (router, known) => {
  const [, yaml = ''] = new RegExp(`- ${router}: .*?\`\`\`yaml\\n(.*?)\`\`\``, 's').exec(federation) ?? [];
  expect(settingsOf(yaml)).toEqual(known);
});

const ofSubscriptions: [string, string[]][] = [
  ['Hive Router', ['subscriptions.enabled', 'subscriptions.subgraph_buffer_capacity', 'subscriptions.broadcast_capacity']],
  [
    'Apollo Router',
    [
      'subscription.enabled',
      'subscription.mode.callback.public_url',
      'subscription.mode.callback.listen',
      'subscription.mode.callback.path',
      'subscription.mode.callback.heartbeat_interval',
    ],
  ],
  [
    'Cosmo Router',
    ['version', 'subgraphs.name', 'subgraphs.routing_url', 'subgraphs.schema.file', 'subgraphs.subscription.protocol'],
  ],
];

test('the configurations for subscriptions have the names that routers know', () => {
  const [, section = ''] = /\n## Subscriptions\n(.*?)\n## /s.exec(federation) ?? [];
  const blocks = [...section.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml = '']) => settingsOf(yaml));
  expect(blocks).toEqual(ofSubscriptions.map(([, known]) => known));
});

test('what the configurations pass on is what the gateway passes on', () => {
  const [, named = ''] = /named: \[(.*)\]/.exec(federation) ?? [];
  const [, matching = ''] = /matching: "\(\?i\)(.*)"/.exec(federation) ?? [];
  expect(named.split(', ')).toEqual(passed);
  expect(passed.filter((name) => !new RegExp(matching).test(name))).toEqual([]);
});

/** A heading as its address has it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const anchorsOf = (text: string): string[] => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('the links of the pages lead somewhere, and the README to every page', () => {
  const links = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link))
      .map((link) => {
        const [file = '', anchor] = link.split('#');
        return { from: path, link, to: file === '' ? path : join(dirname(path), file), anchor };
      }),
  );
  const lost = links.filter(({ to, anchor }) => !existsSync(to) || (anchor && !anchorsOf(pageOf(to)).includes(anchor)));
  expect(lost).toEqual([]);
  const reached = new Set(links.filter(({ from }) => from === 'README.md').map(({ to }) => to));
  expect([...pages.keys()].filter((path) => path !== 'README.md' && !reached.has(path))).toEqual([]);
});

test('the README is short', () => {
  expect(pageOf('README.md').split('\n').length).toBeLessThan(160);
});
