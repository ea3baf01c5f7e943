import { readFileSync } from 'node:fs';

/** Returns the SDL that a subgraph serves to a router with the correct secret. */
export async function servedSdl(url: string, secret: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'router-secret': secret },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  const { data } = await response.json();
  return data._service.sdl;
}

/** Returns the SDL of a module in `schema/`. The supergraph is composed from these files. */
export const emittedSdl = (module: string): string => readFileSync(`schema/${module}.graphql`, 'utf8');
