import { type ExampleGroup, exampleGroups, exampleName } from '../graphql/examples/index.js';
import { type Html, html } from '../messaging/html.js';
import { examplePath } from './operation-paths.js';

/** Returns the title of an example: the comment in its first line. */
const titleOf = (query: string): string => query.slice(2, query.indexOf('\n'));

const groupSection = ({ title, examples }: ExampleGroup): Html => html`<section>
<h2>${title}</h2>
<ul>${examples.map((example) => html`<li><a href="${examplePath(exampleName(example))}">${titleOf(example.query)}</a></li>`)}</ul>
</section>`;

/** Menu of the examples in groups. Each link opens an example in a tab of GraphiQL. */
export const exampleMenu = (): Html => html`<nav class="examples" aria-label="Examples">
<button type="button" popovertarget="examples">Examples</button>
<div id="examples" popover>${exampleGroups.map(groupSection)}</div>
</nav>`;
