const object = /(got invalid value )\{.*\}(?= at "|; )/s;
const named = /^Variable "\$(?:[\w.[\]]*(?:password|token)|[^"]*" got invalid value .* at "[\w.[\]]*(?:password|token))"/is;

/**
 * What graphql says of a variable that does not fit, without what must not be repeated: it quotes the value, and
 * an input whose e-mail address is missing has a password beside it.
 */
export const withoutSecrets = (message: string): string =>
  named.test(message) ? 'A password or token got an invalid value; it must be a string' : message.replace(object, '$1{…}');
