type Constants = Readonly<Record<string, unknown>>;
type Property = readonly [name: string, expression: string];

/** Compiles a function of `from`. Its code is written by code and never by requests. */
const compiled = <From, Made>(body: string, constants: Constants): ((from: From) => Made) =>
  new Function(...Object.keys(constants), `return (from) => { let value; ${body} };`)(...Object.values(constants));

/** A property's key as it is written: what is known before it runs gives the object its room at once, which computed keys do not. */
const keyOf = (name: string): string => (name === '__proto__' ? `['__proto__']` : JSON.stringify(name));

/**
 * Compiles a function that makes an object of all its properties at once, which takes a fraction of adding them one by one. Each property is
 * an expression over `from`, what the function is given; `value` is there for it to keep something in. Constants are named in expressions.
 */
export function objectMaker<From, Made extends object>(
  properties: readonly Property[],
  constants: Constants = {},
): (from: From) => Made {
  const made = properties.map(([name, expression]) => `${keyOf(name)}: ${expression}`).join(', ');
  return compiled(`return { ${made} };`, constants);
}

/**
 * Compiles a function that makes an object of those properties that `from` has, in the order given: each is an expression over its `value`
 * there. `otherwise` gives what absent ones are, where they are not left out.
 */
export function partMaker<From extends object, Made extends object>(
  properties: readonly (readonly [name: string, expression: string, otherwise?: string])[],
  constants: Constants = {},
): (from: From) => Made {
  const made = properties.map(([name, expression, otherwise]) => {
    const key = JSON.stringify(name);
    const absent = otherwise === undefined ? '' : ` else made[${key}] = ${otherwise};`;
    return `if ((value = from[${key}]) !== undefined) made[${key}] = ${expression};${absent}`;
  });
  return compiled(`const made = {}; ${made.join(' ')} return made;`, constants);
}
