/**
 * Compiles a function that makes an object of all its properties at once, which takes a fraction of adding them one by one. Each property is
 * an expression over `from`, what the function is given; `value` is there for it to keep something in. Constants are named in expressions.
 * Expressions are written by code and never by requests.
 */
export function objectMaker<From, Made extends object>(
  properties: readonly (readonly [name: string, expression: string])[],
  constants: Readonly<Record<string, unknown>> = {},
): (from: From) => Made {
  const body = properties.map(([name, expression]) => `[${JSON.stringify(name)}]: ${expression}`).join(', ');
  const code = `return (from) => { let value; return { ${body} }; }`;
  return new Function(...Object.keys(constants), code)(...Object.values(constants));
}
