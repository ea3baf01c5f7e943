import express, { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import { clientOf, type IsTrustedProxy } from '../graphql/http/client.js';
import type { Client, Graph, Operation } from '../graphql/run.js';
import { codeOf, statuses } from '../kernel/declare/errors.js';
import { anonymousCaller } from '../kernel/declare/policy/caller.js';
import { type Html, html } from '../messaging/html.js';
import { alert, layout, pagePolicy, paragraph } from './layout.js';

/** Renders a page that a link in an email opens. It has no navigation links. */
const page = (heading: string, ...content: readonly Html[]) => layout({ heading, links: [], isNarrow: true }, ...content);

/** Sets headers for pages with a secret value in their URL. They prevent caching, framing, and sending the `Referer` header. */
export const secretUrlHeaders: RequestHandler = (_request, response, next) => {
  response.removeHeader('Access-Control-Allow-Origin');
  response.set({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': pagePolicy(),
  });
  next();
};

/** Runs an operation. Returns the status and the text of its first error, or null if it succeeds. */
async function failureOf(
  operation: Operation,
  variables: Record<string, unknown>,
  client: Client,
): Promise<{ status: number; message: string } | null> {
  const { errors } = await operation.run(variables, anonymousCaller, client);
  const [error] = errors ?? [];
  if (!error) return null;
  const code = codeOf(error) ?? 'INTERNAL';
  const messages: Partial<Record<typeof code, string>> = {
    GONE: 'This link has expired. Request a new one.',
    BAD_INPUT:
      error.extensions.field === 'password'
        ? 'Choose a password of 8 to 200 characters that is hard to guess.'
        : 'This link is not valid or has already been used.',
  };
  return { status: statuses[code], message: messages[code] ?? 'Something went wrong. Please try again in a moment.' };
}

const confirmForm = html`<form method="post" class="stack"><button>Confirm email address</button></form>`;
const passwordForm = html`<form method="post" class="stack"><label for="password">New password</label><input id="password" name="password" type="password" autocomplete="new-password" minlength="8" maxlength="200" required autofocus><button>Save password</button></form>`;

const sendInvalidLink: ErrorRequestHandler = (_error, _request, response, _next) => {
  response
    .status(400)
    .type('html')
    .send(page('Not found', paragraph('This link is not valid.')));
};

/**
 * Serves the pages for links in account emails, for platforms without their own pages. Opening a page changes nothing, because mail
 * scanners open every link. The user confirms the change with a button.
 */
export function accountPages(graph: Graph, trust: IsTrustedProxy): Router {
  const isOpen = () => graph.prepare('query ($value: String!) { isLinkOpen(value: $value) }');
  const verifyEmail = () => graph.prepare('mutation ($value: String!) { verifyEmail(value: $value) { id } }');
  const resetPassword = () =>
    graph.prepare('mutation ($value: String!, $password: String!) { resetPassword(value: $value, password: $password) { id } }');
  const send = (response: Response, status: number, body: string) => void response.status(status).type('html').send(body);

  /** Sends the form, or an error message if the link is no longer valid. */
  const showForm =
    (heading: string, form: Html): RequestHandler =>
    async (request, response) => {
      const failure = await failureOf(isOpen(), { value: request.params.value }, clientOf(request, response, trust));
      send(response, failure?.status ?? 200, page(heading, failure ? alert(failure.message) : form));
    };

  return Router()
    .use(['/verify/:value', '/reset/:value'], secretUrlHeaders, express.urlencoded({ extended: false, limit: '4kb' }))
    .get('/verify/:value', showForm('Confirm your email address', confirmForm))
    .post('/verify/:value', async (request, response) => {
      const failure = await failureOf(verifyEmail(), { value: request.params.value }, clientOf(request, response, trust));
      if (failure) send(response, failure.status, page('Confirm your email address', alert(failure.message)));
      else send(response, 200, page('Welcome', paragraph('Your email address is confirmed. You can now sign in.')));
    })
    .get('/reset/:value', showForm('Choose a new password', passwordForm))
    .post('/reset/:value', async (request, response) => {
      const password = String(request.body?.password ?? '');
      const failure = await failureOf(
        resetPassword(),
        { value: request.params.value, password },
        clientOf(request, response, trust),
      );
      if (failure) send(response, failure.status, page('Choose a new password', alert(failure.message), passwordForm));
      else send(response, 200, page('Password changed', paragraph('You can now sign in with your new password.')));
    })
    .use(sendInvalidLink);
}
