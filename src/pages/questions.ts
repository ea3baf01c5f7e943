import { type Example, type ExampleTokens, examples, exampleName as nameOf } from '../gateway/examples/index.js';
import { type Html, html } from '../messaging/html.js';

/** Those of the examples whose rows make a table, by the names of their operations. */
const shown = ['NearAustin', 'PlayingNow', 'Rankings'];

/** The first line tells the title once more. */
const documentOf = ({ query }: Example): string => query.slice(query.indexOf('\n') + 1).trim();

const question = (example: Example): Html => {
  const name = nameOf(example);
  const variables = JSON.stringify(example.variables ?? {}, null, 2);
  return html`<article class="card question" id="${name}" data-variables="${variables}">
<div class="row"><h3>${example.title}</h3><button type="button" class="plain" aria-describedby="${name}-rows">Ask</button></div>
<div id="${name}-rows" class="rows" aria-live="polite"></div>
<details><summary>The GraphQL</summary>
<pre tabindex="0" aria-label="Document"><code class="document">${documentOf(example)}</code></pre>
${example.variables ? html`<pre tabindex="0" aria-label="Variables"><code>${variables}</code></pre>` : html``}
</details>
</article>`;
};

const token = html`<p class="token"><label for="token">Publishable key or platform token</label>
<input id="token" type="password" autocomplete="off" spellcheck="false">
<span class="quiet small">It stays in the memory of this page.</span></p>`;

/** Cards with example queries. A script runs them on the page, with the publishable key of the demo data, if it is loaded. */
export const questionCards = (tokens: ExampleTokens | null): Html =>
  html`<section id="questions" data-token="${tokens?.publishable ?? ''}">
<h2 id="ask">Ask the season</h2>
<p>These are answered by this server, as you read.</p>
<noscript><p class="quiet">Without scripts this page cannot ask. The questions are in GraphiQL, too.</p></noscript>
${tokens ? html`` : token}
${examples.filter((example) => shown.includes(nameOf(example))).map(question)}
</section>`;
