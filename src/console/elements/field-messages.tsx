interface FieldMessagesProps {
  /** ID of the input. The IDs of its messages start with it. */
  readonly id: string;
  readonly hint: string | undefined;
  /** Expected value, if the service rejected the value of the input. */
  readonly problem: string | undefined;
}

/** Hint and problem of an input. The attribute `aria-describedby` of the input refers to them. */
export const FieldMessages = ({ id, hint, problem }: FieldMessagesProps) => (
  <>
    {hint && (
      <p id={`${id}-hint`} class="quiet small">
        {hint}
      </p>
    )}
    {problem && (
      <p id={`${id}-problem`} class="problem small">
        Expected: {problem}
      </p>
    )}
  </>
);
