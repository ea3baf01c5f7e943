import compression from 'compression';
import { Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { html } from '../../messaging/html.js';
import { layout, type PageLink, pagePolicy, paragraph } from '../layout.js';
import { graphReferencePath } from '../operation-paths.js';
import { quantity } from '../reference/wording.js';
import { sendCacheable } from '../send.js';
import { entryGroups, type GraphEntry, type GraphEntryGroup } from './entries.js';
import { entryPart, graphIndexPart, graphSearchIndex, graphSearchPath, hasMember } from './parts.js';

const policy = pagePolicy({ 'script-src': "'self'", 'connect-src': "'self'" });

/** Everything that the pages show, derived from the schema. */
interface Contents {
  readonly groups: readonly GraphEntryGroup[];
  readonly byCoordinate: ReadonlyMap<string, GraphEntry>;
  readonly index: string;
  readonly search: string;
}

/** The GraphQL reference: an index of root fields and types, and a page for each. It is derived from the schema on the first request. */
export function graphReferencePages(schema: GraphQLSchema, links: readonly PageLink[]): Router {
  const frame = { links, here: 'graph', script: 'reference.js' } as const;
  let contents: Contents | undefined;

  function derive(): Contents {
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
  const all = () => {
    contents ??= derive();
    return contents;
  };

  return Router()
    .use('/reference/graph', compression(), (_request, response, next) => {
      response.set('Content-Security-Policy', policy);
      next();
    })
    .get('/reference/graph', (request, response) => sendCacheable(request, response, all().index))
    .get(graphSearchPath, (request, response) => sendCacheable(request, response, all().search, 'json'))
    .get('/reference/graph/:coordinate', (request, response) => {
      const { coordinate } = request.params;
      const { byCoordinate } = all();
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
