/** Quoted names, which stay; texts in both ways to write them, and numbers. */
const literals =
  /"[^"]*(?:""[^"]*)*"|\bE'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*'|'[^']*(?:''[^']*)*'|(?<![\w$])\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi;

/** The text of a statement with a question mark in the place of each value that was written into it. */
export const withoutValues = (text: string): string =>
  text.replace(literals, (literal) => (literal.startsWith('"') ? literal : '?'));
