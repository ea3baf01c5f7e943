import type { ReferenceField, ReferenceParameter } from '../../../compat/reference/operation.js';
import { type Html, html } from '../../messaging/html.js';
import { quantity } from '../../process/quantity.js';
import { table, withCode } from '../elements.js';

/** Maximum number of rows of an expanded table. Longer tables are collapsed. */
const maxVisibleRows = 30;

const requiredTag = (required: boolean): Html => (required ? html` <span class="tag">required</span>` : html``);

const code = (text: string | null): Html => (text === null ? html`<span class="quiet">–</span>` : html`<code>${text}</code>`);

const fieldRow = ({ path, type, meaning, coordinate }: ReferenceField, mark: Html): Html =>
  html`<tr><th scope="row"><code>${path}</code>${mark}</th><td class="type">${type}</td><td class="meaning">${withCode(meaning)}</td><td>${code(coordinate)}</td></tr>`;

/** Renders a table of the fields in a body. Fields of responses have no `required` tag, because they are always present. */
export function fieldTable(label: string, fields: readonly ReferenceField[], isRequest: boolean): Html {
  const rows = fields.map((field) => fieldRow(field, requiredTag(isRequest && field.required)));
  const content = table(label, ['Field', 'Type', 'Description', 'GraphQL'], rows);
  return fields.length > maxVisibleRows
    ? html`<details><summary>${quantity(fields.length, 'field')}</summary>${content}</details>`
    : content;
}

/** Returns the type of a parameter as text, such as `string (date)`. */
function typeOf({ schema }: ReferenceParameter): string {
  const { type, format, enum: values } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(', ');
  return [[type ?? 'string'].flat().join(' or '), typeof format === 'string' ? `(${format})` : ''].filter(Boolean).join(' ');
}

const parameterRow = (parameter: ReferenceParameter): Html =>
  html`<tr><th scope="row"><code>${parameter.name}</code>${requiredTag(parameter.required)}</th><td>${parameter.in}</td><td class="type">${typeOf(parameter)}</td><td class="meaning">${withCode(parameter.meaning)}</td><td>${code(parameter.coordinate)}</td></tr>`;

/** Renders a table of the parameters in path, query and headers. */
export const parameterTable = (label: string, parameters: readonly ReferenceParameter[]): Html =>
  table(label, ['Parameter', 'In', 'Type', 'Description', 'GraphQL'], parameters.map(parameterRow));

/** Renders a table of the errors of an operation. */
export const errorTable = (label: string, errors: readonly { status: number; meaning: string }[]): Html =>
  table(
    label,
    ['Status', 'Description'],
    errors.map(
      ({ status, meaning }) => html`<tr><th scope="row">${String(status)}</th><td class="meaning">${withCode(meaning)}</td></tr>`,
    ),
  );
