import type { FieldShape } from '../engine/bind/binding.js';

/** The slug of a user in responses. A generated slug, which starts with a tilde, is unset. */
export const userSlug: FieldShape = (field) => {
  const draft = field();
  const { encode } = draft.out;
  return {
    ...draft,
    target: null,
    out: {
      ...draft.out,
      encode: (value) => (typeof value === 'string' && value.startsWith('~') ? '' : encode ? encode(value) : value),
    },
  };
};
