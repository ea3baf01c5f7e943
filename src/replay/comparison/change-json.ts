import { jsonTokens } from './json-tokens.js';

/**
 * Replaces values of a valid JSON text, and leaves the rest unchanged. `change` receives the name of each value. Array items have
 * the name of their array.
 */
export function changeJson(json: string, change: (name: string, raw: string) => string): string {
  const pieces: string[] = [];
  const containers: { isObject: boolean; name: string }[] = [];
  let isName = false;
  let copiedLength = 0;
  for (const { text, start } of jsonTokens(json)) {
    pieces.push(json.slice(copiedLength, start));
    copiedLength = start + text.length;
    const container = containers.at(-1);
    const isOpening = text === '{' || text === '[';
    if (isOpening) containers.push({ isObject: text === '{', name: container?.name ?? '' });
    else if (text === '}' || text === ']') containers.pop();
    const isPunctuation = isOpening || /^[}\],:]$/.test(text);
    if (isName && container && !isPunctuation) container.name = JSON.parse(text);
    pieces.push(isPunctuation || isName ? text : change(container?.name ?? '', text));
    isName = text === '{' || (text === ',' && container?.isObject === true);
  }
  return pieces.join('') + json.slice(copiedLength);
}
