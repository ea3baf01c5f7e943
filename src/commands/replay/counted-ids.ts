import { changeJson } from '../../comparison/change-json.js';
import { isIdName } from '../../comparison/compare-json.js';

/** Letters by which `/v1/categories`, `/v1/data/lookup_categories`, `category_id` and `categoriesIds` are about the same things. */
const stemOf = (word: string): string => word.toLowerCase().replace(/(?:ies|y|s)$/, '');

const noCollection = /^(?:v\d+|data|pub|admin|upsert|referee|)$/;

/** Whether an id may mean something else elsewhere, as those do that a server counts. */
export const isCounted = (id: string): boolean => id.length < 8;

/** What a request is about: the last word of its path that is neither a value nor said of everything. */
export function collectionOf(route: string): string | null {
  const path = route.slice(route.indexOf('/')).split('/');
  const word = path.findLast((part) => !noCollection.test(part) && !/[{}…]/.test(part));
  return word ? stemOf(word) : null;
}

const isListOfIds = (name: string): boolean => isIdName(name) || /[_a-z]ids$|Ids$/.test(name);

/** Short ids: they are known by what they are of, and stand for nothing beyond it. */
export class CountedIds {
  /** By collection and id. */
  readonly #others = new Map<string, string>();
  readonly #collections = new Set<string>();

  learn(collection: string, id: string, other: string): void {
    this.#collections.add(collection);
    const key = `${collection} ${id}`;
    if (!this.#others.has(key)) this.#others.set(key, other);
  }

  #other(id: string, route: string, name: string): string | null {
    for (const collection of this.#collections) {
      const other = this.#others.get(`${collection} ${id}`);
      if (other !== undefined && (route.includes(collection) || name.toLowerCase().includes(collection))) return other;
    }
    return null;
  }

  get isEmpty(): boolean {
    return this.#collections.size === 0;
  }

  /** A path with its query. */
  inPath(path: string, route: string): string {
    const [plain = '', ...query] = path.split('?');
    const segments = plain.split('/').map((segment) => this.#other(segment, route, '') ?? segment);
    const pairs = query
      .join('?')
      .split('&')
      .map((pair) => {
        const [name = '', value = ''] = pair.split('=', 2);
        const other = isListOfIds(name) ? this.#other(value, route, name) : null;
        return other === null ? pair : `${name}=${other}`;
      });
    return segments.join('/') + (query.length ? `?${pairs.join('&')}` : '');
  }

  /** A body of JSON; a number stays one, and a text one. */
  inJson(json: string, route: string): string {
    return changeJson(json, (name, raw) => {
      if (!isListOfIds(name)) return raw;
      const isText = raw.startsWith('"');
      const other = this.#other(isText ? raw.slice(1, -1) : raw, route, name);
      return other === null ? raw : isText || !/^\d+$/.test(other) ? JSON.stringify(other) : other;
    });
  }
}
