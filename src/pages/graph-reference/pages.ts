import compression from 'compression';
import { Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { html } from '../../messaging/html.js';
import { quantity } from '../../process/quantity.js';
import { layout, type PageLink, paragraph, scriptPolicy } from '../layout.js';
import { graphReferencePath } from '../operation-paths.js';
import { sendCacheable } from '../send.js';
import { entryGroups, type GraphEntry, type GraphEntryGroup } from './entries.js';
import { entryPart, graphIndexPart, graphSearchIndex, graphSearchPath, hasMember } from './parts.js';

/** Content of the pages, derived from the schema. */
interface Contents {
  readonly groups: readonly GraphEntryGroup[];
  readonly byCoordinate: ReadonlyMap<string, GraphEntry>;
  readonly index: string;
  readonly search: string;
}

/** Serves the GraphQL reference: an index, and a page for each root field and type. Derives it from the schema on the first request. */
export function graphReferencePages(schema: GraphQLSchema, links: readonly PageLink[]): Router {
  const frame = { links, currentPage: 'graph', script: 'reference.js' } as const;
  let contents: Contents | undefined;

  function deriveContents(): Contents {
    const groups = entryGroups(schema);
    const entries = groups.flatMap((group) => group.entries);
    const fields = entries.filter(({ field }) => field);
    const lead = html`<p class="lead">${quantity(fields.length, 'root field')} and their types by module, with arguments, permissions and examples. To run operations, open <a href="/graphql">GraphiQL</a>.</p>`;
    return {
      groups,
      byCoordinate: new Map(entries.map((entry) => [entry.coordinate, entry])),
      index: layout({ ...frame, heading: 'GraphQL reference' }, lead, graphIndexPart(groups)),
      search: JSON.stringify(graphSearchIndex(groups)),
    };
  }
  const getContents = () => {
    contents ??= deriveContents();
    return contents;
  };

  return Router()
    .use('/reference/graph', compression(), (_request, response, next) => {
      response.set('Content-Security-Policy', scriptPolicy);
      next();
    })
    .get('/reference/graph', (request, response) => sendCacheable(request, response, getContents().index))
    .get(graphSearchPath, (request, response) => sendCacheable(request, response, getContents().search, 'json'))
    .get('/reference/graph/:coordinate', (request, response) => {
      const { coordinate } = request.params;
      const { byCoordinate } = getContents();
      const entry = byCoordinate.get(coordinate);
      if (entry) return sendCacheable(request, response, layout({ ...frame, heading: entry.coordinate }, entryPart(entry)));
      const [typeName = '', member = ''] = coordinate.split('.');
      const type = byCoordinate.get(typeName);
      if (type && hasMember(type, member)) return response.redirect(`${graphReferencePath(typeName)}#${coordinate}`);
      const backLink = html`<p><a href="/reference/graph">All root fields and types</a></p>`;
      const page = layout(
        { ...frame, heading: 'Not found' },
        paragraph('There is no root field or type with this name.'),
        backLink,
      );
      response.status(404).type('html').send(page);
    });
}
