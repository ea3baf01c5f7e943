import express, { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import { clientOf, type Trust } from '../gateway/client.js';
import type { Client, Graph, Operation } from '../gateway/run.js';
import { nobody } from '../kernel/declare/caller.js';
import { codeOf, statuses } from '../kernel/declare/errors.js';
import { type Html, html } from '../messaging/html.js';
import { alarm, layout, pagePolicy, paragraph } from './layout.js';

/** People come here from a mail, and have no business with the other pages. */
const page = (heading: string, ...content: readonly Html[]) => layout({ heading, places: [], isNarrow: true }, ...content);

/** Headers of pages with a secret value in their URL: no caching, no frames, no referrer. */
export const closed: RequestHandler = (_request, response, next) => {
  response.removeHeader('Access-Control-Allow-Origin');
  response.set({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': pagePolicy(),
  });
  next();
};

/** What went wrong, as people are told it; null when nothing did. */
async function problemOf(
  operation: Operation,
  variables: Record<string, unknown>,
  client: Client,
): Promise<{ status: number; line: string } | null> {
  const { errors } = await operation.run(variables, nobody, client);
  const [error] = errors ?? [];
  if (!error) return null;
  const code = codeOf(error) ?? 'INTERNAL';
  const lines: Partial<Record<typeof code, string>> = {
    GONE: 'This link has expired. Please ask for a new one.',
    BAD_INPUT:
      error.extensions.field === 'password'
        ? 'Please choose a password of 8 to 200 characters that is hard to guess.'
        : 'This link is not valid, or was used already.',
  };
  return { status: statuses[code], line: lines[code] ?? 'That did not work. Please try again in a moment.' };
}

const confirm = html`<form method="post" class="stack"><button>Confirm my address</button></form>`;
const choose = html`<form method="post" class="stack"><label for="password">New password</label><input id="password" name="password" type="password" autocomplete="new-password" minlength="8" maxlength="200" required autofocus><button>Save</button></form>`;

const pageOfProblem: ErrorRequestHandler = (_error, _request, response, _next) => {
  response
    .status(400)
    .type('html')
    .send(page('Not found', paragraph('This link is not valid.')));
};

/**
 * The service's own pages behind the links of its mails, for platforms that have none. Opening one changes nothing, because
 * mail scanners open every link; its button does.
 */
export function accountPages(graph: Graph, trust: Trust): Router {
  const isOpen = () => graph.prepare('query ($value: String!) { isLinkOpen(value: $value) }');
  const verifyEmail = () => graph.prepare('mutation ($value: String!) { verifyEmail(value: $value) { id } }');
  const resetPassword = () =>
    graph.prepare('mutation ($value: String!, $password: String!) { resetPassword(value: $value, password: $password) { id } }');
  const send = (response: Response, status: number, body: string) => void response.status(status).type('html').send(body);

  /** Shows the form while its link can be used. */
  const opening =
    (heading: string, form: typeof confirm): RequestHandler =>
    async (request, response) => {
      const problem = await problemOf(isOpen(), { value: request.params.value }, clientOf(request, response, trust));
      send(response, problem?.status ?? 200, page(heading, problem ? alarm(problem.line) : form));
    };

  return Router()
    .use(['/verify/:value', '/reset/:value'], closed, express.urlencoded({ extended: false, limit: '4kb' }))
    .get('/verify/:value', opening('Confirm your address', confirm))
    .post('/verify/:value', async (request, response) => {
      const problem = await problemOf(verifyEmail(), { value: request.params.value }, clientOf(request, response, trust));
      if (problem) send(response, problem.status, page('Confirm your address', alarm(problem.line)));
      else send(response, 200, page('Welcome', paragraph('Your address is confirmed. You can sign in now.')));
    })
    .get('/reset/:value', opening('Choose a new password', choose))
    .post('/reset/:value', async (request, response) => {
      const password = String(request.body?.password ?? '');
      const problem = await problemOf(
        resetPassword(),
        { value: request.params.value, password },
        clientOf(request, response, trust),
      );
      if (problem) send(response, problem.status, page('Choose a new password', alarm(problem.line), choose));
      else send(response, 200, page('Done', paragraph('Your new password is in place. Please sign in with it.')));
    })
    .use(pageOfProblem);
}
