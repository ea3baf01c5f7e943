import {
  type GraphQLArgument,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { meaningOf } from '../../kernel/declare/fields/generated.js';
import { type Html, html } from '../../messaging/html.js';
import { quantity } from '../../process/quantity.js';
import { badge, sample, table, withCode } from '../elements.js';
import { fieldExamplePath, graphReferencePath } from '../operation-paths.js';
import { createSearchIndex } from '../reference/search-index.js';
import type { GraphEntry, GraphEntryGroup, GraphField } from './entries.js';
import { exampleOf } from './example.js';

/** URL path of the search index. */
export const graphSearchPath = '/reference/graph/search.json';

const firstSentence = (text: string): string => text.split(/(?<=\.)\s/)[0] ?? '';

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Renders a type such as `[Team!]!`, with a link to the page of `Team`. `label` is text to insert before the type. */
const typeLink = (type: GraphField['type'] | GraphQLArgument['type'], label = ''): Html => {
  const { name } = getNamedType(type);
  const [before = '', after = ''] = String(type).split(name);
  return html`<code>${label}${before}<a href="${graphReferencePath(name)}">${name}</a>${after}</code>`;
};

const deprecation = (reason: string | null | undefined): Html =>
  reason ? html` <strong>Deprecated:</strong> ${withCode(reason)}` : html``;

/** Renders a table of fields or arguments, with their name, type and description. */
const memberTable = (label: string, heading: string, rows: readonly Html[]): Html =>
  table(label, [heading, 'Type', 'Description'], rows);

type Member = Pick<GraphQLArgument, 'name' | 'type' | 'description' | 'extensions' | 'deprecationReason'> &
  Partial<Pick<GraphField, 'args'>>;

const memberRow = (owner: string, { name, type, description, extensions, deprecationReason, args = [] }: Member): Html =>
  html`<tr id="${owner}.${name}"><th scope="row"><code>${name}</code></th><td class="type">${typeLink(type)}</td><td class="meaning">${withCode(meaningOf({ description, extensions }))}${deprecation(deprecationReason)}${
    args.length > 0
      ? html`<br>Arguments: ${args.map((arg, index) => html`${index > 0 ? ', ' : ''}${typeLink(arg.type, `${arg.name}: `)}`)}`
      : ''
  }</td></tr>`;

function fieldPart({ coordinate, kind, callers }: GraphEntry, field: GraphField): Html {
  const { query, variables } = exampleOf({ coordinate, kind, field });
  return html`<section><h2>Returns</h2><p>${typeLink(field.type)}</p></section>
<section><h2>Permissions</h2><p>${withCode(capitalized(callers ?? 'everybody.'))}</p></section>
${
  field.args.length > 0
    ? html`<section><h2>Arguments</h2>${memberTable(
        `Arguments of ${coordinate}`,
        'Argument',
        field.args.map((arg) => memberRow(coordinate, arg)),
      )}</section>`
    : ''
}
<section><h2>Example</h2>${sample('Operation', query.trim())}${variables ? sample('Variables', JSON.stringify(variables, null, 2)) : ''}
<p><a class="button plain" href="${fieldExamplePath(coordinate)}">Open in GraphiQL</a></p></section>`;
}

function typePart({ coordinate, type }: GraphEntry): Html {
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) {
    const members: readonly Member[] = Object.values(type.getFields());
    return html`<section><h2>${quantity(members.length, 'field')}</h2>${memberTable(
      `Fields of ${coordinate}`,
      'Field',
      members.map((member) => memberRow(coordinate, member)),
    )}</section>`;
  }
  if (isUnionType(type))
    return html`<section><h2>Types</h2><ul>${type.getTypes().map((member) => html`<li>${typeLink(member)}</li>`)}</ul></section>`;
  if (isEnumType(type))
    return html`<section><h2>Values</h2><ul>${type
      .getValues()
      .map(
        (value) =>
          html`<li id="${coordinate}.${value.name}"><code>${value.name}</code> ${withCode(meaningOf(value))}${deprecation(value.deprecationReason)}</li>`,
      )}</ul></section>`;
  return html``;
}

/** Renders the content of the page of a root field or type. */
export const entryPart = (
  entry: GraphEntry,
): Html => html`<p class="above"><a href="/reference/graph#${entry.coordinate}">GraphQL reference</a> <span class="quiet">/ ${entry.module}</span></p>
<p class="row">${badge(entry.kind)} <code class="path">${entry.coordinate}</code></p>
${entry.description.split(/\n\n+/).map((text) => html`<p>${withCode(text)}</p>`)}
${entry.field?.deprecationReason ? html`<p>${deprecation(entry.field.deprecationReason)}</p>` : ''}
<div class="operation-part">${entry.field ? fieldPart(entry, entry.field) : typePart(entry)}</div>`;

const row = ({ coordinate, kind, description }: GraphEntry): Html =>
  html`<details class="operation" id="${coordinate}">
<summary>${badge(kind)}<code class="path">${coordinate}</code><span class="summary">${withCode(firstSentence(description))}</span></summary>
<p class="loading"><a href="${graphReferencePath(coordinate)}">Fields, permissions and examples of ${coordinate}</a></p>
</details>`;

/** Whether the index lists an entry. Connections, edges and inputs are linked from the pages of the fields that use them. */
const isListed = ({ coordinate, kind }: GraphEntry): boolean => kind !== 'input' && !/(?:Connection|Edge)$/.test(coordinate);

/** Whether the page of a type has a row for a field or an enum value. */
export function hasMember({ type }: GraphEntry, name: string): boolean {
  if (isEnumType(type)) return type.getValue(name) !== undefined;
  return (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) && Object.hasOwn(type.getFields(), name);
}

/** Renders the index of root fields and types, grouped by module. The search works like the search of the `/v1` reference. */
export const graphIndexPart = (groups: readonly GraphEntryGroup[]): Html => html`<div class="reference">
<aside>
<form class="search" role="search" data-index="${graphSearchPath}" data-noun="entries" hidden><label for="search">Search</label>
<input id="search" type="search" placeholder="Field or Type.field" autocomplete="off" spellcheck="false" aria-describedby="match-count">
<p id="match-count" class="quiet small" role="status"></p></form>
<nav aria-label="Modules"><ul>${groups.map(({ title, entries }) => html`<li><a href="#module-${title}">${title}</a> <span class="quiet">${String(entries.filter(isListed).length)}</span></li>`)}</ul></nav>
</aside>
<div class="groups">${groups.map(
  ({ title, description, entries }) => html`<section class="group">
<h2 id="module-${title}">${title}</h2>
<p class="quiet">${withCode(description)}</p>
<div class="operations">${entries.filter(isListed).map(row)}</div>
</section>`,
)}</div>
</div>`;

/** A name in the search index. */
type Term = readonly [kind: string, name: string];

/** Returns the search terms for the fields of an argument's input type, such as `TournamentFilter.locationCity`. */
function inputTermsOf(argumentType: GraphQLArgument['type']): Term[] {
  const type = getNamedType(argumentType);
  return isInputObjectType(type) ? Object.keys(type.getFields()).map((name): Term => ['input', `${type.name}.${name}`]) : [];
}

const termsOf = ({ coordinate, field, type }: GraphEntry): Term[] => {
  if (field)
    return field.args.flatMap(({ name, type: argumentType }): Term[] => [
      ['argument', `${coordinate}.${name}`],
      ...inputTermsOf(argumentType),
    ]);
  if (!isObjectType(type) && !isInterfaceType(type))
    return isEnumType(type) ? type.getValues().map(({ name }): Term => ['value', name]) : [];
  return Object.values(type.getFields()).map(({ name }): Term => ['field', `${coordinate}.${name}`]);
};

/** Creates the search index of arguments, fields and values, in the same format as the search index of the `/v1` reference. */
export const graphSearchIndex = (groups: readonly GraphEntryGroup[]) =>
  createSearchIndex(
    groups.flatMap(({ entries }) => entries.filter(isListed).map((entry) => [entry.coordinate, termsOf(entry)] as const)),
  );
