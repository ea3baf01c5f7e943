/** Reason why the service cannot start, with instructions for the operator. Printed without a stack trace. */
export class StartProblem extends Error {
  readonly sentences: string[];

  constructor(...sentences: string[]) {
    super(sentences.join('\n'));
    this.sentences = sentences;
  }
}
