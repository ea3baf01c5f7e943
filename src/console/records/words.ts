/** Words that are not written in lower case. */
const properWords: Readonly<Record<string, string>> = {
  id: 'ID',
  ids: 'IDs',
  url: 'URL',
  urls: 'URLs',
  usd: 'USD',
  utc: 'UTC',
  iana: 'IANA',
  tods: 'TODS',
  csv: 'CSV',
  zip: 'ZIP',
  sms: 'SMS',
  // Governing bodies.
  gpa: 'GPA',
  paa: 'PAA',
  pco: 'PCO',
  ppa: 'PPA',
  ssipa: 'SSIPA',
  usap: 'USAP',
  wpf: 'WPF',
};

const sentenceOf = (words: readonly string[]): string => {
  const text = words.map((word) => properWords[word] ?? word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Converts a name of the graph to a label, such as `registrationOpensAt` to `Registration opens at`, and `isCanceled` to `Canceled`. */
export const labelOfName = (name: string): string =>
  sentenceOf(
    name
      .replace(/^(?:is|all)(?=[A-Z])/, '')
      .replace(/(?<=[a-z0-9])(?=[A-Z])|\./g, ' ')
      .toLowerCase()
      .split(' '),
  );

/** Converts the name of an enum value to a label, such as `SINGLE_ELIMINATION` to `Single elimination`. */
export const labelOfConstant = (name: string): string => sentenceOf(name.toLowerCase().split('_'));

/** Starts a label with a lowercase letter, for use in a sentence. */
export const inSentence = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

/** Converts a description in the schema to a text that names fields by their labels: `timeZone` in backticks becomes “Time zone”. */
export const textOfHelp = (help: string): string =>
  help.replace(/`([a-z]\w*)`/g, (_, name: string) => `“${labelOfName(name)}”`).replaceAll('`', '');
