import { jsonTokens } from './json-tokens.js';

/**
 * Replaces values of a valid JSON text, and leaves the rest unchanged. `change` receives the name of each value. Array items have
 * the name of their array.
 */
export function changeJson(json: string, change: (name: string, raw: string) => string): string {
  const pieces: string[] = [];
  const around: { isObject: boolean; name: string }[] = [];
  let isName = false;
  let from = 0;
  for (const { text, at } of jsonTokens(json)) {
    pieces.push(json.slice(from, at));
    from = at + text.length;
    const inner = around.at(-1);
    const isBegin = text === '{' || text === '[';
    if (isBegin) around.push({ isObject: text === '{', name: inner?.name ?? '' });
    else if (text === '}' || text === ']') around.pop();
    const isMark = isBegin || /^[}\],:]$/.test(text);
    if (isName && inner && !isMark) inner.name = JSON.parse(text);
    pieces.push(isMark || isName ? text : change(inner?.name ?? '', text));
    isName = text === '{' || (text === ',' && inner?.isObject === true);
  }
  return pieces.join('') + json.slice(from);
}
