const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Markup whose every part is escaped already. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** Builds markup; what is put in is escaped, unless it is markup itself. */
export const html = (parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html =>
  new Html(String.raw({ raw: parts }, ...values.map(render)));

const render = (value: string | Html | readonly Html[]): string => {
  if (typeof value === 'string') return escapeHtml(value);
  return value instanceof Html ? value.markup : value.map(render).join('');
};
