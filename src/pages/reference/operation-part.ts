import type { Decision } from '../../../compat/reference/decisions.js';
import type {
  ReferenceCall,
  ReferenceExample,
  ReferenceOperation,
  ReferenceResponse,
} from '../../../compat/reference/operation.js';
import { firstSample } from '../../../compat/reference/samples.js';
import { Html, html } from '../../messaging/html.js';
import { sample, withCode } from '../elements.js';
import { graphiqlPath } from '../operation-paths.js';
import { errorTable, fieldTable, parameterTable } from './field-table.js';
import { type SampleSettings, samplesOf } from './samples.js';
import { tryItForm } from './try-it.js';

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const call = ({ when, document, variables }: ReferenceCall): Html =>
  html`${when ? html`<p>${withCode(when)}</p>` : html``}
${sample('Document', document)}
${Object.keys(variables).length ? sample('Variables', json(variables)) : html``}`;

const responsePart = (name: string, { status, meaning, schema, fields }: ReferenceResponse): Html =>
  html`<p><strong>${String(status)}</strong> ${withCode(meaning)}</p>
${schema && fields.length ? fieldTable(`Fields of response ${status} of ${name}`, fields, false) : html``}`;

const example = ({ method }: ReferenceOperation, { title, request, response }: ReferenceExample): Html =>
  html`<details><summary>${title}</summary>
${sample('Request', `${method} ${request.path}${request.body === undefined ? '' : `\n\n${json(request.body)}`}`)}
${sample(`Response ${response.status}`, json(response.body))}
</details>`;

/** Renders a paragraph, list or table in a decision. Tables become lists. */
function block(text: string): Html {
  const item = (line: string): Html => html`<li>${withCode(line.trim())}</li>`;
  if (text.startsWith('- ')) return html`<ul>${text.slice(2).split(/\n- /).map(item)}</ul>`;
  if (!text.startsWith('|')) return html`<p>${withCode(text)}</p>`;
  const rows = text.split('\n').slice(2);
  return html`<ul>${rows.map((row) => item(row.replace(/^\||\|$/g, '').replace(/ \| /, ': ')))}</ul>`;
}

/** Renders a collapsed decision, without the bold title at the start of its text. */
const decision = ({ number, title, text }: Decision): Html => {
  const body = text.replace(/^\*\*.+?\*\*\s*/s, '').trim();
  return html`<details><summary><span class="quiet">${number}</span> ${withCode(title)}</summary>${body.split(/\n\n+/).map(block)}</details>`;
};

/** Renders the reference of one operation. `level` is the heading level of its sections. */
export function operationPart(operation: ReferenceOperation, site: SampleSettings, level: 'h2' | 'h3'): Html {
  const { name, callers, parameters, request, responses, errors, decisions, calls, examples } = operation;
  const sampleValues = firstSample(operation);
  const { shell, typescript } = samplesOf(operation, sampleValues, site);
  const section = (slug: string, title: string, ...content: readonly Html[]): Html => {
    const id = `${name}.${slug}`;
    const heading = new Html(`<${level} id="${id}">${html`${title}`.markup}</${level}>`);
    return html`<section>${heading}${content}</section>`;
  };
  return html`<div class="operation-part">
${section('callers', 'Permissions', html`<p>${withCode(callers)}</p>`)}
${section('call', 'Code samples', sample('Shell', shell), sample('TypeScript', typescript))}
${section('graphql', 'Equivalent GraphQL', ...calls.map(call), html`<p><a class="button plain" href="${graphiqlPath(name)}">Open in GraphiQL</a></p>`)}
${section('try', 'Try it', tryItForm(operation, sampleValues, site))}
${parameters.length ? section('parameters', 'Parameters', parameterTable(`Parameters of ${name}`, parameters)) : html``}
${request ? section('request', 'Request body', fieldTable(`Fields of the body of ${name}`, request.fields, true)) : html``}
${section('answers', responses.length === 1 ? 'Response' : 'Responses', ...responses.map((response) => responsePart(name, response)))}
${errors.length ? section('errors', 'Errors', errorTable(`Errors of ${name}`, errors)) : html``}
${
  decisions.length
    ? section('decisions', 'Compatibility notes', html`<div class="decisions">${decisions.map(decision)}</div>`)
    : html``
}
${examples.length ? section('examples', 'Examples', ...examples.map((recording) => example(operation, recording))) : html``}
</div>`;
}
