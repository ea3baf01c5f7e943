import { isIdName } from '../comparison/compare-json.js';
import { replaceInJson } from '../comparison/json-text.js';

/**
 * Returns the stem of a word. The stem of `categories` is `categor`. The names `lookup_categories`, `category_id` and `categoriesIds` contain
 * this stem.
 */
const stemOf = (word: string): string => word.toLowerCase().replace(/(?:ies|y|s)$/, '');

const genericSegments = /^(?:v\d+|data|pub|admin|upsert|referee|)$/;

/** Whether an ID is short, such as a number. Records of different collections can have the same short ID. */
export const isShortId = (id: string): boolean => id.length < 8;

/**
 * Returns the collection of a route: the stem of the last path segment that is neither a parameter nor generic. Null if the route has no
 * such segment.
 */
export function collectionOf(route: string): string | null {
  const path = route.slice(route.indexOf('/')).split('/');
  const word = path.findLast((part) => !genericSegments.test(part) && !/[{}…]/.test(part));
  return word ? stemOf(word) : null;
}

const isListOfIds = (name: string): boolean => isIdName(name) || /[_a-z]ids$|Ids$/.test(name);

/** Translates short IDs. Each translation is valid only within one collection. */
export class ShortIds {
  /** Translated IDs, keyed by collection and ID. */
  readonly #translations = new Map<string, string>();
  readonly #collections = new Set<string>();

  add(collection: string, id: string, translation: string): void {
    this.#collections.add(collection);
    const key = `${collection} ${id}`;
    if (!this.#translations.has(key)) this.#translations.set(key, translation);
  }

  #translate(id: string, route: string, name: string): string | null {
    for (const collection of this.#collections) {
      const translation = this.#translations.get(`${collection} ${id}`);
      if (translation !== undefined && (route.includes(collection) || name.toLowerCase().includes(collection)))
        return translation;
    }
    return null;
  }

  get isEmpty(): boolean {
    return this.#collections.size === 0;
  }

  /** Translates the short IDs in a path and its query string. */
  inPath(path: string, route: string): string {
    const [pathname = '', ...query] = path.split('?');
    const segments = pathname.split('/').map((segment) => this.#translate(segment, route, '') ?? segment);
    const pairs = query
      .join('?')
      .split('&')
      .map((pair) => {
        const [name = '', value = ''] = pair.split('=', 2);
        const translation = isListOfIds(name) ? this.#translate(value, route, name) : null;
        return translation === null ? pair : `${name}=${translation}`;
      });
    return segments.join('/') + (query.length ? `?${pairs.join('&')}` : '');
  }

  /** Translates the short IDs in a JSON body. Strings stay strings. Numbers stay numbers if the translated ID is a number. */
  inJson(json: string, route: string): string {
    const value = (key: string, raw: string) => {
      if (!isListOfIds(key)) return raw;
      const isText = raw.startsWith('"');
      const translation = this.#translate(isText ? raw.slice(1, -1) : raw, route, key);
      return translation === null ? raw : isText || !/^\d+$/.test(translation) ? JSON.stringify(translation) : translation;
    };
    return replaceInJson(json, { value });
  }
}
