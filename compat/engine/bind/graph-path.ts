import type { Data } from './json.js';

/** A segment of a GraphQL path: `title`, `images(first: 100)`, or `sanctions[body=PPA]` for the list item with the `body` PPA. */
export interface PathSegment {
  readonly name: string;
  /** Arguments, including the parentheses. Empty if the segment has no arguments. */
  readonly args: string;
  /** Field and value that identify a list item. Null if the segment does not select an item. */
  readonly item: { readonly key: string; readonly value: string } | null;
}

/** Name of the GraphQL field that contains legacy values, in object types and input types. */
export const legacyField = 'legacy';

const segmentPattern = /^(\w+)\s*(\(.*\))?(?:\[(\w+)=([^\]]*)\])?$/s;

/** Parses a path into segments. Returns null if the path is invalid. */
export function parsePath(path: string): readonly PathSegment[] | null {
  const segments = path.split(/\.(?![^(]*\))/).map((text) => {
    const [, name, args = '', key, value = ''] = segmentPattern.exec(text) ?? [];
    return name === undefined ? null : { name, args, item: key === undefined ? null : { key, value } };
  });
  return segments.includes(null) ? null : segments.filter((parsed) => parsed !== null);
}

/** Returns a path as text, without arguments. */
export const pathText = (segments: readonly PathSegment[]): string =>
  segments.map(({ name, item }) => (item ? `${name}[${item.key}=${item.value}]` : name)).join('.');

/** Returns the GraphQL selection for a path. `inner` is the selection within the last field. It is empty for scalars. */
export const selectionAt = (segments: readonly PathSegment[], inner: string): string =>
  segments.reduceRight(
    (innerSelection, { name, args, item }) =>
      `${name}${args}${innerSelection && ` { ${item ? `${item.key} ` : ''}${innerSelection} }`}`,
    inner,
  );

const itemOf = (items: unknown, { key, value }: NonNullable<PathSegment['item']>): Data | undefined =>
  Array.isArray(items) ? items.find((item: Data) => item[key] === value) : undefined;

/** Returns a function that reads the value at a path in a GraphQL object. It returns null or undefined if a parent is missing. */
export function getterOf([first, ...rest]: readonly PathSegment[]): (data: Data) => unknown {
  if (!first) return (data) => data;
  const { name, item } = first;
  if (!rest.length && !item) return (data) => data[name];
  const getInner = getterOf(rest);
  return (data) => {
    const value = item ? itemOf(data[name], item) : data[name];
    return value === null || value === undefined ? null : getInner(value as Data);
  };
}

/** Returns a function that sets the value at a path in a GraphQL input. It creates missing objects and list items. */
export function setterOf([first, ...rest]: readonly PathSegment[]): (input: Data, value: unknown) => void {
  if (!first) return () => undefined;
  const { name, item } = first;
  if (!rest.length) {
    return (input, value) => {
      input[name] = value;
    };
  }
  const setInner = setterOf(rest);
  if (!item) {
    return (input, value) => {
      input[name] ??= {};
      setInner(input[name] as Data, value);
    };
  }
  return (input, value) => {
    input[name] ??= [];
    const existingItem = itemOf(input[name], item);
    const target: Data = existingItem ?? { [item.key]: item.value };
    if (!existingItem) (input[name] as Data[]).push(target);
    setInner(target, value);
  };
}
