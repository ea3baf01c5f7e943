const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** HTML in which all values are escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** Template tag that builds HTML. Escapes all string values. */
export const html = (strings: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html =>
  new Html(String.raw({ raw: strings }, ...values.map(render)));

const render = (value: string | Html | readonly Html[]): string => {
  if (typeof value === 'string') return escapeHtml(value);
  return value instanceof Html ? value.markup : value.map(render).join('');
};
