import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { subgraphHeaders } from '../src/commands/supergraph/gateway/subgraph.js';
import { variables } from '../src/config/index.js';
import { limitRules } from '../src/modules/accounts/limits/limit-rules.js';
import { allPages, pageOf, pages } from './support/fixtures/documentation.js';

const configuration = pageOf('docs/configuration.md');
const federation = pageOf('docs/federation.md');
const rows = variables.map(
  ({ name, fallback, description }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${description} |`,
);

test('the configuration page lists every variable with its default and description', () => {
  expect(rows.filter((row) => !configuration.includes(row))).toEqual([]);
});

test('the configuration page lists every variable that can be read from a file', () => {
  const [, section = ''] = /^This applies to (.*?)\.$/ms.exec(configuration) ?? [];
  expect(section.match(/[A-Z_]+/g)).toEqual(variables.flatMap(({ name, isSecret }) => (isSecret ? [name] : [])));
});

const timeOf = (seconds: number) => (seconds % 3_600 === 0 ? `${seconds / 3_600}h` : `${seconds / 60}m`);

test('the configuration page lists every rate limit with its default and description', () => {
  const limits = Object.entries(limitRules).map(
    ([name, { quota, description }]) =>
      `| \`${name}\` | ${quota ? `\`${quota.points}/${timeOf(quota.duration)}\`` : 'none'} | ${description} |`,
  );
  expect(limits.filter((row) => !configuration.includes(row))).toEqual([]);
});

test('all scripts named in the documentation exist', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const names = [...allPages.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});

/** Returns the dotted paths of all scalar settings in a block-style YAML text, without list indexes. */
function settingsOf(yaml: string): string[] {
  const path: { indent: number; key: string }[] = [];
  return yaml.split('\n').flatMap((line) => {
    const [, prefix = '', key, value = ''] = /^(\s*(?:- )?)([\w-]+):(?: (.*))?$/.exec(line) ?? [];
    if (!key) return [];
    while ((path.at(-1)?.indent ?? -1) >= prefix.length) path.pop();
    path.push({ indent: prefix.length, key });
    return value ? [path.map((segment) => segment.key).join('.')] : [];
  });
}

/**
 * Setting names from the published schema of Apollo Router 2.13.1 and the source of Hive Router 0.2.0. Both routers reject unknown
 * settings.
 */
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

test.each(Object.entries(settings))('the documented configuration of %s has only settings that it supports', (router, names) => {
  const [, yaml = ''] = new RegExp(`### ${router}\\n.*?\`\`\`yaml\\n(.*?)\`\`\``, 's').exec(federation) ?? [];
  expect(settingsOf(yaml)).toEqual(names);
});

const subscriptionSettings: [string, string[]][] = [
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

test('the documented configurations for subscriptions have only settings that the routers support', () => {
  const [, section = ''] = /\n## Route subscriptions\n(.*?)\n## /s.exec(federation) ?? [];
  const blocks = [...section.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml = '']) => settingsOf(yaml));
  expect(blocks).toEqual(subscriptionSettings.map(([, names]) => names));
});

test('the documented configurations forward the same headers as the gateway', () => {
  const [, named = ''] = /named: \[(.*)\]/.exec(federation) ?? [];
  const [, matching = ''] = /matching: "\(\?i\)(.*)"/.exec(federation) ?? [];
  expect(named.split(', ')).toEqual(subgraphHeaders);
  expect(subgraphHeaders.filter((name) => !new RegExp(matching).test(name))).toEqual([]);
});

/** Returns the anchor that GitHub generates for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const anchorsOf = (text: string): string[] => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Returns the text of a Markdown file, or an empty string for other files. */
const markdownOf = (path: string): string => (path.endsWith('.md') ? readFileSync(path, 'utf8') : '');

/** All links between documentation pages. */
const links = [...pages].flatMap(([path, text]) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))
    .map((link) => {
      const [file = '', anchor] = link.split('#');
      return { from: path, link, to: file === '' ? path : join(dirname(path), file), anchor };
    }),
);

test('every link of the documentation has an existing target', () => {
  const broken = links.filter(({ to, anchor }) => !existsSync(to) || (anchor && !anchorsOf(markdownOf(to)).includes(anchor)));
  expect(broken).toEqual([]);
});

test('the README links to every page', () => {
  const targets = new Set(links.filter(({ from }) => from === 'README.md').map(({ to }) => to));
  expect([...pages.keys()].filter((path) => path !== 'README.md' && !targets.has(path))).toEqual([]);
});

test('the README has fewer than 160 lines', () => {
  expect(pageOf('README.md').split('\n').length).toBeLessThan(160);
});
