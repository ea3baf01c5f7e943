import { jsonTokens } from './json-tokens.js';

/**
 * Replaces strings, numbers and other scalars in a valid JSON text. The rest does not change. `replacementOf` receives the key and the notation of
 * each value. Array items have the key of their array.
 */
export function replaceJsonValues(json: string, replacementOf: (name: string, raw: string) => string): string {
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
    pieces.push(isPunctuation || isName ? text : replacementOf(container?.name ?? '', text));
    isName = text === '{' || (text === ',' && container?.isObject === true);
  }
  return pieces.join('') + json.slice(copiedLength);
}
