import { Html, html } from '../../messaging/html.js';
import type { Difference } from '../comparison/differences.js';
import type { Redactor } from '../recording/redact.js';
import { sensitivityOf } from '../recording/sensitive-names.js';
import type { RouteDifference, RouteFindings } from './findings.js';
import type { Recording } from './recorded.js';
import type { RecordedStatuses } from './recorded-statuses.js';
import { differenceName, skippedLines, verdictOf } from './summary.js';

const style = new Html(`<style>
  :root { color-scheme: light dark; --line: light-dark(#d4d4d8, #3f3f46); --soft: light-dark(#f4f4f5, #18181b); --quiet: light-dark(#52525b, #a1a1aa);
    --good: light-dark(#166534, #86efac); --bad: light-dark(#b91c1c, #fca5a5); font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 2rem auto 4rem; padding: 0 1rem; background: light-dark(#fff, #0c0c0e); color: light-dark(#18181b, #f4f4f5) }
  h1 { font-size: 1.6rem; margin: 0 0 .25rem } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem }
  .verdict { font-size: 1.15rem; margin: 1rem 0 } .good { color: var(--good) } .bad { color: var(--bad) }
  .quiet { color: var(--quiet); margin: .25rem 0 } code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
  details { border: 1px solid var(--line); border-radius: 8px; margin: .6rem 0 } summary { padding: .6rem .9rem; cursor: pointer }
  summary:focus-visible { outline: 2px solid var(--good); border-radius: 8px }
  details > :not(summary), details > .quiet { margin: 0 .9rem .8rem } h3 { font-size: 1rem; font-weight: 600; margin-top: .8rem }
  .scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .95rem }
  th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line) }
  th { font-weight: 600 } .values { table-layout: fixed; } .values th:first-child { width: 46% } td.count, th.count { text-align: right } .count { font-variant-numeric: tabular-nums }
  td code { background: var(--soft); padding: .1rem .3rem; border-radius: 4px }
  @media (max-width: 40rem) {
    .values thead { display: none } .values, .values tbody, .values tr, .values td { display: block } .values th:first-child { width: auto }
    .values tr { border-bottom: 1px solid var(--line); padding: .35rem 0 } .values td { border: 0; padding: .15rem 0 }
    .values td:nth-child(2)::before { content: 'old ' } .values td:nth-child(3)::before { content: 'new ' }
    .values td::before { color: var(--quiet); display: inline-block; width: 2.5rem }
  }
</style>`);

/** Content of a report, except the results. */
export interface ReportHeader {
  /** URLs of the servers. */
  readonly old: string;
  readonly new: string;
  /** Name of the HAR file. */
  readonly file: string;
  readonly createdAt: Date;
  /** Redacts one of the two values of a difference. */
  readonly redactValue: (route: string, finding: RouteDifference, value: string) => string;
}

const mask = '•••';

/** Returns a function that masks values in reports: tokens, and values of fields with personal or secret names. */
export function createValueRedactor(redactor: Redactor, tokens: Iterable<string>) {
  const secrets = [...tokens].filter((token) => token.length > 3);
  return (route: string, { path, kind }: Pick<Difference, 'path' | 'kind'>, value: string): string => {
    if (value === '') return kind === 'header' ? 'none' : '';
    if (kind !== 'header' && path.split(/[.[\]]+/).some((name) => name && sensitivityOf(name, route))) return mask;
    const redacted = secrets.reduce((text, secret) => text.replaceAll(secret, mask), value);
    // Values are truncated to 200 characters, possibly in the middle of a token. Therefore, the last word of such a value is removed.
    return redactor.text(value.length < 200 ? redacted : `${redacted.replace(/[\w.+@~-]*$/, '')}…`);
  };
}

const labels: Readonly<Record<RouteDifference['kind'], string>> = {
  status: 'Different status',
  header: 'Different header',
  'no answer': 'No complete response from one or both servers',
  'missing key': 'Key missing on the new server',
  'extra key': 'Additional key on the new server',
  value: 'Different value',
  type: 'Different type',
  'number form': 'Same number in a different format',
  'text form': 'Same text with different escapes',
  'key order': 'Different order of keys',
  'array order': 'Different order of items',
  'array length': 'Different number of items',
  whitespace: 'Same JSON with different whitespace',
  body: 'Different body (not JSON)',
};

const valueHtml = (text: string) => (text === '' ? html`–` : html`<code>${text}</code>`);

function findingHtml(finding: RouteDifference, { redactValue }: ReportHeader): Html {
  const { route, kind, path, count, examples } = finding;
  const rows = examples.map(
    (example) =>
      html`<tr><td><code>${example.request}</code></td><td>${valueHtml(redactValue(route, finding, example.old))}</td><td>${valueHtml(redactValue(route, finding, example.new))}</td></tr>`,
  );
  return html`<h3>${labels[kind]}${path ? html` at <code>${path}</code>` : ''} <span class="quiet count">${String(count)}×</span></h3>
<div class="scroll" tabindex="0" role="region" aria-label="${differenceName(finding)}"><table class="values"><thead><tr><th>Request</th><th>Old</th><th>New</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function routeHtml(routeFindings: RouteFindings, options: ReportHeader): Html {
  const { route, requestCount, differentCount, findings, ignoredDifferences } = routeFindings;
  const noise = html`<p class="quiet">Ignored, because responses of the old server also differ from each other: ${ignoredDifferences.map(differenceName).join(', ')}.</p>`;
  const kinds = [...new Set(findings.map(({ kind }) => kind))].join(', ');
  return html`<details${new Html(differentCount ? ' open' : '')}><summary><code>${route}</code> <span class="quiet">– ${String(differentCount)} of ${String(requestCount)} responses${kinds ? `: ${kinds}` : ''}</span></summary>
${findings.map((finding) => findingHtml(finding, options))}${ignoredDifferences.length ? noise : ''}</details>`;
}

/** Returns the report as an HTML page without scripts or external files. */
export function reportOf(
  routes: readonly RouteFindings[],
  recording: Recording,
  statuses: RecordedStatuses,
  options: ReportHeader,
): string {
  const differentRoutes = routes.filter((route) => route.differentCount > 0);
  const equalRoutes = routes.filter((route) => route.differentCount === 0);
  const routesWithNoise = equalRoutes.filter(({ ignoredDifferences }) => ignoredDifferences.length > 0);
  const rows = equalRoutes.map(
    ({ route, requestCount }) => html`<tr><td><code>${route}</code></td><td class="count">${String(requestCount)}</td></tr>`,
  );
  const equalRoutesTable = html`<h2>Same responses</h2><div class="scroll" tabindex="0" role="region" aria-label="Same responses"><table><thead><tr><th>Route</th><th class="count">Requests</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Replay of ${options.file}</title>${style}</head>
<body><main><h1>Replay of ${options.file}</h1>
<p class="quiet">Old: <code>${options.old}</code> · new: <code>${options.new}</code> · <time datetime="${options.createdAt.toISOString()}">${options.createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC</time></p>
<p class="verdict ${differentRoutes.length || statuses.allDiffer ? 'bad' : 'good'}">${verdictOf(routes)}</p>
${[...statuses.lines, ...skippedLines(recording)].map((line) => html`<p class="quiet">${line}</p>`)}
<p class="quiet">Personal values and tokens are shown as •••.</p>
${differentRoutes.length ? html`<h2>Differences</h2>` : ''}${differentRoutes.map((route) => routeHtml(route, options))}
${routesWithNoise.length ? html`<h2>Ignored differences</h2>` : ''}${routesWithNoise.map((route) => routeHtml(route, options))}
${equalRoutes.length ? equalRoutesTable : ''}</main></body></html>
`.markup;
}
