import type { ReferenceField, ReferenceParameter } from '../../../compat/reference/operation.js';
import { type Html, html } from '../../messaging/html.js';
import { counted, withCode } from './wording.js';

/** Longer tables are folded. */
const longest = 30;

const table = (label: string, heads: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="table stacked" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;

const demanded = (required: boolean): Html => (required ? html` <span class="tag">required</span>` : html``);

const code = (text: string | null): Html => (text === null ? html`<span class="quiet">–</span>` : html`<code>${text}</code>`);

const fieldRow = ({ path, type, meaning, coordinate }: ReferenceField, mark: Html): Html =>
  html`<tr><th scope="row"><code>${path}</code>${mark}</th><td class="type">${type}</td><td class="meaning">${withCode(meaning)}</td><td>${code(coordinate)}</td></tr>`;

/** Every field of a body, with what it means and what of the graph it is. Answers have all of theirs, so that only of requests it is said. */
export function fieldTable(label: string, fields: readonly ReferenceField[], isSent: boolean): Html {
  const rows = fields.map((field) => fieldRow(field, demanded(isSent && field.required)));
  const made = table(label, ['Field', 'Type', 'Meaning', 'GraphQL'], rows);
  return fields.length > longest ? html`<details><summary>${counted(fields.length, 'field')}</summary>${made}</details>` : made;
}

/** The type of a parameter, in a few words. */
function typeOf({ schema }: ReferenceParameter): string {
  const { type, format, enum: values } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(', ');
  return [[type ?? 'string'].flat().join(' or '), typeof format === 'string' ? `(${format})` : ''].filter(Boolean).join(' ');
}

const parameterRow = (parameter: ReferenceParameter): Html =>
  html`<tr><th scope="row"><code>${parameter.name}</code>${demanded(parameter.required)}</th><td>${parameter.in}</td><td class="type">${typeOf(parameter)}</td><td class="meaning">${withCode(parameter.meaning)}</td><td>${code(parameter.coordinate)}</td></tr>`;

/** What stands in path, query and headers. */
export const parameterTable = (label: string, parameters: readonly ReferenceParameter[]): Html =>
  table(label, ['Parameter', 'In', 'Type', 'Meaning', 'GraphQL'], parameters.map(parameterRow));

/** How an operation may refuse. */
export const errorTable = (label: string, errors: readonly { status: number; meaning: string }[]): Html =>
  table(
    label,
    ['Status', 'Meaning'],
    errors.map(
      ({ status, meaning }) => html`<tr><th scope="row">${String(status)}</th><td class="meaning">${withCode(meaning)}</td></tr>`,
    ),
  );
