import { type Response, Router } from 'express';
import { clientOf, type IsTrustedProxy } from '../graphql/http/client.js';
import type { Graph } from '../graphql/run.js';
import { codeOf, statuses } from '../kernel/declare/errors.js';
import { anonymousCaller } from '../kernel/declare/policy/caller.js';
import { html } from '../messaging/html.js';
import { secretUrlHeaders } from './account-pages.js';
import { alert, layout, paragraph } from './layout.js';

/** Result of `gameInvitation`. */
interface Invitation {
  readonly host: string;
  readonly title: string | null;
  readonly when: string | null;
  readonly where: string | null;
}

const heading = 'Invitation to a game';
const page = (...content: Parameters<typeof layout>[1][]) => layout({ heading, links: [], isNarrow: true }, ...content);

const declineForm = html`<form method="post" class="stack"><button>Decline the invitation</button></form>`;
const joinInstructions = 'To join the game, sign in or register with the email address that received this invitation.';

const invitationLines = ({ host, title, when, where }: Invitation): string[] => [
  `${host} invites you to play: ${title || 'a game'}.`,
  ...(when ? [`When: ${when}`] : []),
  ...(where ? [`Where: ${where}`] : []),
];

const errorMessageOf = (code: ReturnType<typeof codeOf>): string => {
  if (code === 'GONE') return 'This invitation is no longer valid. It was declined or withdrawn, or the game was canceled.';
  return code === 'BAD_INPUT' ? 'This link is not valid.' : 'Something went wrong. Please try again in a moment.';
};

/**
 * Serves the page for the link in game invitation emails. The guest declines the invitation with a button. Opening the page changes
 * nothing, because mail scanners open every link.
 */
export function invitationPage(graph: Graph, trust: IsTrustedProxy): Router {
  const fields = 'host title when where';
  const prepareQuery = () => graph.prepare(`query ($value: String!) { gameInvitation(value: $value) { ${fields} } }`);
  const prepareDecline = () =>
    graph.prepare(`mutation ($value: String!) { declineMailedGameInvitation(value: $value) { ${fields} } }`);

  async function sendPage(
    response: Response,
    operation: ReturnType<typeof prepareQuery>,
    value: string,
    body: (invitation: Invitation) => string,
  ): Promise<void> {
    const { data, errors } = await operation.run({ value }, anonymousCaller, clientOf(response.req, response, trust));
    const [error] = errors ?? [];
    const [invitation] = Object.values(data ?? {}) as (Invitation | null)[];
    if (invitation && !error) {
      response.type('html').send(body(invitation));
      return;
    }
    const code = (error && codeOf(error)) ?? 'INTERNAL';
    response
      .status(statuses[code])
      .type('html')
      .send(page(alert(errorMessageOf(code))));
  }

  return Router()
    .use('/game-invitation/:value', secretUrlHeaders)
    .get('/game-invitation/:value', (request, response) =>
      sendPage(response, prepareQuery(), request.params.value, (invitation) =>
        page(...invitationLines(invitation).map(paragraph), paragraph(joinInstructions), declineForm),
      ),
    )
    .post('/game-invitation/:value', (request, response) =>
      sendPage(response, prepareDecline(), request.params.value, ({ title }) =>
        page(paragraph(`You have declined the invitation to ${title || 'a game'}. You will get no more emails about it.`)),
      ),
    );
}
