/** Matches string literals in both notations and numbers. Also matches quoted identifiers, so that their content is skipped. */
const literals =
  /"[^"]*(?:""[^"]*)*"|\bE'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*'|'[^']*(?:''[^']*)*'|(?<![\w$])\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gi;

/** Replaces the literals in a statement with question marks. */
export const withoutLiterals = (text: string): string =>
  text.replace(literals, (literal) => (literal.startsWith('"') ? literal : '?'));
