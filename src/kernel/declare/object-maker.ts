type Constants = Readonly<Record<string, unknown>>;
type Property = readonly [name: string, expression: string];

/** Compiles a function with the parameter `from`. The source text must come from declarations, never from requests. */
const compile = <From, Result>(body: string, constants: Constants): ((from: From) => Result) =>
  new Function(...Object.keys(constants), `return (from) => { let value; ${body} };`)(...Object.values(constants));

/**
 * Returns the source text of a key in an object literal. The key `__proto__` is computed, because it would otherwise set the prototype.
 * Other keys are literal, because V8 then allocates the object at its final size.
 */
const keyOf = (name: string): string => (name === '__proto__' ? `['__proto__']` : JSON.stringify(name));

/**
 * Compiles a function that creates an object with one object literal, which is much faster than adding properties. The value of each
 * property is an expression. The expression can use the parameter `from`, the temporary variable `value`, and the `constants` by name.
 */
export function objectMaker<From, Result extends object>(
  properties: readonly Property[],
  constants: Constants = {},
): (from: From) => Result {
  const entries = properties.map(([name, expression]) => `${keyOf(name)}: ${expression}`).join(', ');
  return compile(`return { ${entries} };`, constants);
}

/**
 * Compiles a function that creates an object with the `properties` that `from` has, in the order of `properties`. Each expression can use
 * `value`, the value of the property in `from`. Absent properties get the value of `fallback`. Without a fallback, they are omitted.
 */
export function subsetMaker<From extends object, Result extends object>(
  properties: readonly (readonly [name: string, expression: string, fallback?: string])[],
  constants: Constants = {},
): (from: From) => Result {
  const assignments = properties.map(([name, expression, fallback]) => {
    const key = JSON.stringify(name);
    const absentCase = fallback === undefined ? '' : ` else result[${key}] = ${fallback};`;
    return `if ((value = from[${key}]) !== undefined) result[${key}] = ${expression};${absentCase}`;
  });
  return compile(`const result = {}; ${assignments.join(' ')} return result;`, constants);
}
