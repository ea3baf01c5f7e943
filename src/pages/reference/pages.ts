import compression from 'compression';
import { type Request, Router } from 'express';
import type { Reference, ReferenceOperation } from '../../../compat/reference/operation.js';
import type { ExampleTokens } from '../../graphql/examples/index.js';
import { type Html, html } from '../../messaging/html.js';
import { quantity } from '../../process/quantity.js';
import { badge, withCode } from '../elements.js';
import { layout, type PageLink, paragraph, scriptPolicy } from '../layout.js';
import { sendCacheable } from '../send.js';
import { indexPart, searchPath } from './index-part.js';
import { operationPart } from './operation-part.js';
import type { SampleSettings } from './samples.js';
import { searchIndex } from './search-index.js';

/** Data and options of the pages. */
interface ReferencePagesOptions {
  /** Returns the reference. It is derived on the first request. */
  readonly reference: () => Promise<Reference>;
  readonly tokens: ExampleTokens | null;
  readonly links: readonly PageLink[];
  /** PUBLIC_URL. If null, samples use the origin of the request. */
  readonly publicUrl: string | null;
}

/** Returns the first sentence of the summary, without its period. */
const operationTitle = ({ summary }: ReferenceOperation): string => summary.split(/(?<=\.)\s/)[0]?.replace(/\.$/, '') ?? '';

const operationHead = ({ method, path, summary, name, group }: ReferenceOperation): Html => {
  const [, ...otherSentences] = summary.split(/(?<=\.)\s/);
  return html`<p class="above"><a href="/reference#${name}">REST reference</a> <span class="quiet">/ ${group} / ${name}</span></p>
<p class="row">${badge(method)} <code class="path">${path}</code></p>
${otherSentences.length ? html`<p class="lead">${withCode(otherSentences.join(' '))}</p>` : html``}`;
};

/** Serves the reference of `/v1`: a list of all operations, and a page for each. */
export function referencePages({ reference, tokens, links, publicUrl }: ReferencePagesOptions): Router {
  const frame = { links, currentPage: 'reference', script: 'reference.js' } as const;
  let index: Promise<string> | undefined;
  let byName: Promise<Map<string, ReferenceOperation>> | undefined;
  const find = async (name: string) => {
    byName ??= reference().then(
      ({ groups }) => new Map(groups.flatMap(({ operations }) => operations.map((operation) => [operation.name, operation]))),
    );
    return (await byName).get(name);
  };
  const siteOf = (request: Request): SampleSettings => ({
    origin: publicUrl ?? `${request.protocol}://${request.get('host') ?? 'localhost'}`,
    tokens,
  });

  return Router()
    .use('/reference', compression(), (_request, response, next) => {
      response.set('Content-Security-Policy', scriptPolicy);
      next();
    })
    .get('/reference', async (request, response) => {
      const content = await reference();
      const count = content.groups.reduce((total, { operations }) => total + operations.length, 0);
      const lead = html`<p class="lead">${quantity(count, 'operation')} of the legacy REST interface, with fields, permissions, code samples and the equivalent GraphQL. Tools can read the <a href="/openapi.json">OpenAPI 3.1 document</a>.</p>`;
      sendCacheable(request, response, layout({ ...frame, heading: 'REST reference (/v1)' }, lead, indexPart(content)));
    })
    .get(searchPath, async (request, response) => {
      index ??= reference().then((content) => JSON.stringify(searchIndex(content)));
      sendCacheable(request, response, await index, 'json');
    })
    .get('/reference/:name', async (request, response) => {
      const operation = await find(request.params.name);
      if (!operation) {
        const backLink = html`<p><a href="/reference">All operations</a></p>`;
        const page = layout({ ...frame, heading: 'Not found' }, paragraph('There is no operation with this name.'), backLink);
        response.status(404).type('html').send(page);
        return;
      }
      const site = siteOf(request);
      if ('part' in request.query) sendCacheable(request, response, operationPart(operation, site, 'h3').markup);
      else
        sendCacheable(
          request,
          response,
          layout(
            { ...frame, heading: operationTitle(operation) },
            operationHead(operation),
            operationPart(operation, site, 'h2'),
          ),
        );
    });
}
