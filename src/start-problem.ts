/** Why the service cannot start, in sentences for the person who started it: what is wrong and what to do. Shown without a stack. */
export class StartProblem extends Error {
  readonly sentences: string[];

  constructor(...sentences: string[]) {
    super(sentences.join('\n'));
    this.sentences = sentences;
  }
}
