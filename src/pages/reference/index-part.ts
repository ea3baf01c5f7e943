import type { Reference, ReferenceGroup, ReferenceOperation } from '../../../compat/reference/operation.js';
import { type Html, html } from '../../messaging/html.js';
import { badge, withCode } from '../elements.js';

/** Returns the URL path of an operation's page. */
const operationPath = (name: string): string => `/reference/${name}`;

/** Returns the URL path of the content of an operation's page, without the frame. The script of the index loads it. */
const partPath = (name: string): string => `${operationPath(name)}?part`;

/** URL path of the search index. */
export const searchPath = '/reference/search.json';

/** Returns the HTML ID of a group. */
const anchorOf = ({ title }: ReferenceGroup): string => `group-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

const row = ({ name, method, path, summary }: ReferenceOperation): Html =>
  html`<details class="operation" id="${name}" data-part="${partPath(name)}">
<summary>${badge(method)}<code class="path">${path}</code><span class="summary">${withCode(summary)}</span></summary>
<p class="loading"><a href="${operationPath(name)}">Open the page of ${method} ${path}</a></p>
</details>`;

const section = (group: ReferenceGroup): Html => html`<section class="group">
<h2 id="${anchorOf(group)}">${group.title}</h2>
<p class="quiet">${withCode(group.description)}</p>
<div class="operations">${group.operations.map(row)}</div>
</section>`;

/** Renders a list of all operations, grouped by topic. A script loads the content of an operation when the user expands it. */
export const indexPart = ({ groups }: Reference): Html => html`<div class="reference">
<aside>
<form class="search" role="search" data-index="${searchPath}" hidden><label for="search">Search</label>
<input id="search" type="search" placeholder="Path, field or Type.field" autocomplete="off" spellcheck="false" aria-describedby="match-count">
<p id="match-count" class="quiet small" role="status"></p></form>
<nav aria-label="Groups"><ul>${groups.map((group) => html`<li><a href="#${anchorOf(group)}">${group.title}</a> <span class="quiet">${String(group.operations.length)}</span></li>`)}</ul></nav>
</aside>
<div class="groups">${groups.map(section)}</div>
</div>`;
