import { readFileSync } from 'node:fs';
import { parse, print, visit } from 'graphql';

/** The SDL that a subgraph serves to a router that holds the secret. */
export async function servedSdl(url: string, secret: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'router-secret': secret },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  const { data } = await response.json();
  return data._service.sdl;
}

/**
 * SDL of a module in `schema/`, with descriptions as block strings, the format that servers use. A served SDL starts with it. The server appends the
 * definitions of the federation directives.
 */
export function emittedSdl(module: string): string {
  const document = parse(readFileSync(`schema/${module}.graphql`, 'utf8'), { noLocation: true });
  const withBlocks = visit(document, {
    enter: (node) =>
      'description' in node && node.description ? { ...node, description: { ...node.description, block: true } } : undefined,
  });
  return print(withBlocks);
}
