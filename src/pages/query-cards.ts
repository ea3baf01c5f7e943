import { type Example, type ExampleTokens, examples, exampleName as nameOf } from '../graphql/examples/index.js';
import { type Html, html } from '../messaging/html.js';

/** Operation names of the examples on the start page. Their results can be shown as tables. */
const queryNames = ['NearAustin', 'PlayingNow', 'Rankings'];

/** Returns the document of an example without its first line, which repeats the title. */
const documentOf = ({ query }: Example): string => query.slice(query.indexOf('\n') + 1).trim();

const queryCard = (example: Example): Html => {
  const name = nameOf(example);
  const variables = JSON.stringify(example.variables ?? {}, null, 2);
  return html`<article class="card query" id="${name}" data-variables="${variables}">
<div class="row"><h3>${example.title}</h3><button type="button" class="plain" aria-describedby="${name}-rows">Run</button></div>
<div id="${name}-rows" class="rows" aria-live="polite"></div>
<details><summary>Show query</summary>
<pre tabindex="0" aria-label="Query"><code class="document">${documentOf(example)}</code></pre>
${example.variables ? html`<pre tabindex="0" aria-label="Variables"><code>${variables}</code></pre>` : html``}
</details>
</article>`;
};

const token = html`<p class="token"><label for="token">Publishable key or platform token</label>
<input id="token" type="password" autocomplete="off" spellcheck="false">
<span class="quiet small">The token is not stored.</span></p>`;

/**
 * Renders cards with example queries, which a script runs. The script sends the publishable key of the demo data, or else the token that
 * the user enters.
 */
export const queryCards = (tokens: ExampleTokens | null): Html =>
  html`<section id="queries" data-token="${tokens?.publishable ?? ''}">
<h2 id="examples">Example queries</h2>
<p>Run a query on this server and see the result.</p>
<noscript><p class="quiet">Running queries on this page needs JavaScript.</p></noscript>
${tokens ? html`` : token}
${examples.filter((example) => queryNames.includes(nameOf(example))).map(queryCard)}
</section>`;
