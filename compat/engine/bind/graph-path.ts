import type { Data } from './json.js';

/** A segment of a path: `title`, `images(first: 100)`, or `sanctions[body=PPA]` for the list item with the `body` PPA. */
export interface PathStep {
  readonly name: string;
  readonly args: string;
  readonly item: { readonly key: string; readonly value: string } | null;
}

/** Name of the field with legacy values, in types and inputs. */
export const legacyField = 'legacy';

const segmentPattern = /^(\w+)\s*(\(.*\))?(?:\[(\w+)=([^\]]*)\])?$/s;

/** Parses a path into segments. Null if it is invalid. */
export function pathSteps(path: string): readonly PathStep[] | null {
  const steps = path.split(/\.(?![^(]*\))/).map((text) => {
    const [, name, args = '', key, value = ''] = segmentPattern.exec(text) ?? [];
    return name === undefined ? null : { name, args, item: key === undefined ? null : { key, value } };
  });
  return steps.includes(null) ? null : steps.filter((parsed) => parsed !== null);
}

/** Text of a path without arguments. */
export const textOf = (steps: readonly PathStep[]): string =>
  steps.map(({ name, item }) => (item ? `${name}[${item.key}=${item.value}]` : name)).join('.');

/** Selection for a path, around the selection at its end. */
export const selectionAt = (steps: readonly PathStep[], inner: string): string =>
  steps.reduceRight(
    (innerSelection, { name, args, item }) =>
      `${name}${args}${innerSelection && ` { ${item ? `${item.key} ` : ''}${innerSelection} }`}`,
    inner,
  );

const itemOf = (items: unknown, { key, value }: NonNullable<PathStep['item']>): Data | undefined =>
  Array.isArray(items) ? items.find((item: Data) => item[key] === value) : undefined;

/** Reads the value at a path of a GraphQL object. Null or undefined if a parent is missing. */
export function getterOf([first, ...rest]: readonly PathStep[]): (data: Data) => unknown {
  if (!first) return (data) => data;
  const { name, item } = first;
  if (!rest.length && !item) return (data) => data[name];
  const getInner = getterOf(rest);
  return (data) => {
    const value = item ? itemOf(data[name], item) : data[name];
    return value === null || value === undefined ? null : getInner(value as Data);
  };
}

/** Sets the value at a path of a GraphQL input. Creates missing objects and list items. */
export function putterOf([first, ...rest]: readonly PathStep[]): (input: Data, value: unknown) => void {
  if (!first) return () => undefined;
  const { name, item } = first;
  if (!rest.length) {
    return (input, value) => {
      input[name] = value;
    };
  }
  const setInner = putterOf(rest);
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
