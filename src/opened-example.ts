import { type Example, exampleGroups, exampleName } from './gateway/examples/index.js';

/** The example that a URL of GraphiQL names: `?example=NearAustin`. */
export function openedExample({ example: name }: Readonly<Record<string, unknown>>): Example | null {
  return exampleGroups.flatMap(({ examples }) => examples).find((example) => exampleName(example) === name) ?? null;
}
