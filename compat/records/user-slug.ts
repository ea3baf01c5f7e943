import type { FieldShape } from '../engine/bind/binding.js';

/** Slug of a user. Responses show a generated slug, which starts with a tilde, as an empty text. */
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
