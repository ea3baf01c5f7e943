import type { ReferenceOperation, ReferenceParameter } from '../../../compat/reference/operation.js';
import type { Sample } from '../../../compat/reference/samples.js';
import { type Html, html } from '../../messaging/html.js';
import { type SampleSettings, tokenFor } from './samples.js';

const field = (id: string, label: string, input: Html): Html => html`<p><label for="${id}">${label}</label>${input}</p>`;

const tokenField = (name: string, header: string, title: string, token: string): Html => {
  const id = `${name}-${header}`;
  const input = html`<input id="${id}" data-header="${header}" type="password" autocomplete="off" spellcheck="false" value="${token}">`;
  return field(id, title, input);
};

const parameterField = (name: string, { in: location, name: parameter, required }: ReferenceParameter, value = ''): Html => {
  const id = `${name}-${location}-${parameter}`;
  const input = html`<input id="${id}" data-in="${location}" name="${parameter}" value="${value}" autocomplete="off" spellcheck="false"${required ? html` required` : ''}>`;
  return field(id, `${parameter}${required ? '' : ' (optional)'}`, input);
};

const bodyField = (name: string, body: unknown): Html =>
  field(
    `${name}-body`,
    'Request body (JSON)',
    html`<textarea id="${name}-body" data-body class="code" spellcheck="false" rows="12">${JSON.stringify(body, null, 2)}</textarea>`,
  );

/** Renders a form that a script sends to this server. Tokens are not stored. */
export function tryItForm(operation: ReferenceOperation, { values, body }: Sample, { tokens }: SampleSettings): Html {
  const { name, method, path, auth, parameters } = operation;
  const token = tokenFor(operation, tokens);
  const accepts = {
    platform: auth === 'platform' || auth === 'platformOrUser',
    user: auth === 'user' || auth === 'platformOrUser',
  };
  return html`<form class="stack try" data-method="${method}" data-path="${path}" hidden>
<div class="fields">
${accepts.platform ? tokenField(name, 'PB-API-TOKEN', 'PB-API-TOKEN', auth === 'user' ? '' : token) : html``}
${accepts.user ? tokenField(name, 'PB-USER-TOKEN', 'PB-USER-TOKEN', auth === 'user' ? token : '') : html``}
${parameters.map((parameter) => parameterField(name, parameter, values[parameter.name]))}
</div>
${body === undefined ? html`` : bodyField(name, body)}
<p class="row"><button>Send ${method}</button> ${method === 'GET' ? html`` : html`<span class="quiet small">This changes data on this server.</span>`}</p>
<div class="outcome" aria-live="polite"></div>
</form>
<noscript><p class="quiet">This form needs JavaScript. Without it, use the shell command above.</p></noscript>`;
}
