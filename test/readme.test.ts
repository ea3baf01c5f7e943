import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { passed } from '../src/commands/gateway/subgraph.js';
import { variables } from '../src/config.js';
import { limitRules } from '../src/modules/accounts/limit-rules.js';

const readme = readFileSync('README.md', 'utf8');
const rows = variables.map(
  ({ name, fallback, description }) => `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${description} |`,
);

test('the README lists every variable with its default and what it is for', () => {
  expect(rows.filter((row) => !readme.includes(row))).toEqual([]);
});

const timeOf = (seconds: number) => (seconds % 3_600 === 0 ? `${seconds / 3_600}h` : `${seconds / 60}m`);

test('the README lists every limit with its default and what is counted', () => {
  const limits = Object.entries(limitRules).map(
    ([name, { quota, description }]) =>
      `| \`${name}\` | ${quota ? `\`${quota.points}/${timeOf(quota.duration)}\`` : 'none'} | ${description} |`,
  );
  expect(limits.filter((row) => !readme.includes(row))).toEqual([]);
});

test('the README names no script that is not there', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const named = [...readme.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);
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
  const [, yaml = ''] = new RegExp(`- ${router}: .*?\`\`\`yaml\\n(.*?)\`\`\``, 's').exec(readme) ?? [];
  expect(settingsOf(yaml)).toEqual(known);
});

test('what the configurations pass on is what the gateway passes on', () => {
  const [, named = ''] = /named: \[(.*)\]/.exec(readme) ?? [];
  const [, matching = ''] = /matching: "\(\?i\)(.*)"/.exec(readme) ?? [];
  expect(named.split(', ')).toEqual(passed);
  expect(passed.filter((name) => !new RegExp(matching).test(name))).toEqual([]);
});
