import type { Data } from './json.js';

/** One step into the graph: `title`, `images(first: 100)`, or `sanctions[body=PPA]` for the item of a list whose `body` is PPA. */
export interface PathStep {
  readonly name: string;
  readonly args: string;
  readonly item: { readonly by: string; readonly value: string } | null;
}

/** Name of the field with legacy values, in types and inputs of the graph. */
export const legacyField = 'legacy';

const step = /^(\w+)\s*(\(.*\))?(?:\[(\w+)=([^\]]*)\])?$/s;

/** A path's steps; null when it cannot be read. */
export function pathSteps(path: string): readonly PathStep[] | null {
  const steps = path.split(/\.(?![^(]*\))/).map((text) => {
    const [, name, args = '', by, value = ''] = step.exec(text) ?? [];
    return name === undefined ? null : { name, args, item: by === undefined ? null : { by, value } };
  });
  return steps.includes(null) ? null : steps.filter((found) => found !== null);
}

/** A path's text, without the arguments. */
export const textOf = (steps: readonly PathStep[]): string =>
  steps.map(({ name, item }) => (item ? `${name}[${item.by}=${item.value}]` : name)).join('.');

/** The selection of a path around what is selected at its end. */
export const selectionAt = (steps: readonly PathStep[], inner: string): string =>
  steps.reduceRight((rest, { name, args, item }) => `${name}${args}${rest && ` { ${item ? `${item.by} ` : ''}${rest} }`}`, inner);

const itemOf = (items: unknown, { by, value }: NonNullable<PathStep['item']>): Data | undefined =>
  Array.isArray(items) ? items.find((item: Data) => item[by] === value) : undefined;

/** Follows a path into a graph object; nothing as soon as nothing is there. */
export function getterOf([first, ...rest]: readonly PathStep[]): (data: Data) => unknown {
  if (!first) return (data) => data;
  const { name, item } = first;
  if (!rest.length && !item) return (data) => data[name];
  const into = getterOf(rest);
  return (data) => {
    const inner = item ? itemOf(data[name], item) : data[name];
    return inner === null || inner === undefined ? null : into(inner as Data);
  };
}

/** Puts a value into a graph input, making the objects and list items on the way. */
export function putterOf([first, ...rest]: readonly PathStep[]): (input: Data, value: unknown) => void {
  if (!first) return () => undefined;
  const { name, item } = first;
  if (!rest.length) {
    return (input, value) => {
      input[name] = value;
    };
  }
  const put = putterOf(rest);
  if (!item) {
    return (input, value) => {
      input[name] ??= {};
      put(input[name] as Data, value);
    };
  }
  return (input, value) => {
    input[name] ??= [];
    const found = itemOf(input[name], item);
    const target: Data = found ?? { [item.by]: item.value };
    if (!found) (input[name] as Data[]).push(target);
    put(target, value);
  };
}
