type Constants = Readonly<Record<string, unknown>>;
type Property = readonly [name: string, expression: string];

/** Compiles a function of `from`. Its source comes from declarations only, never from requests. */
const compile = <From, Result>(body: string, constants: Constants): ((from: From) => Result) =>
  new Function(...Object.keys(constants), `return (from) => { let value; ${body} };`)(...Object.values(constants));

/** Key in an object literal. Only `__proto__` is a computed key, because literal keys let V8 allocate the object at its final size. */
const keyOf = (name: string): string => (name === '__proto__' ? `['__proto__']` : JSON.stringify(name));

/**
 * Compiles a function that creates an object from one object literal, which is much faster than to add properties one by one. The value of each
 * property is an expression. It can use the parameter `from`, the scratch variable `value`, and `constants` by their names.
 */
export function objectMaker<From, Result extends object>(
  properties: readonly Property[],
  constants: Constants = {},
): (from: From) => Result {
  const entries = properties.map(([name, expression]) => `${keyOf(name)}: ${expression}`).join(', ');
  return compile(`return { ${entries} };`, constants);
}

/**
 * Compiles a function that creates an object from the properties that `from` has, in the given order. Each expression can use `value`, the value
 * of its property in `from`. `otherwise` is the expression for an absent property, which is omitted by default.
 */
export function partMaker<From extends object, Result extends object>(
  properties: readonly (readonly [name: string, expression: string, otherwise?: string])[],
  constants: Constants = {},
): (from: From) => Result {
  const assignments = properties.map(([name, expression, otherwise]) => {
    const key = JSON.stringify(name);
    const absentCase = otherwise === undefined ? '' : ` else made[${key}] = ${otherwise};`;
    return `if ((value = from[${key}]) !== undefined) made[${key}] = ${expression};${absentCase}`;
  });
  return compile(`const made = {}; ${assignments.join(' ')} return made;`, constants);
}
