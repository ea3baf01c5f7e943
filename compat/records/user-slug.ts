import type { FieldShape } from '../engine/bind/binding.js';

/** Shape of a user's slug. Responses contain an empty string for a generated slug, which starts with a tilde. Requests cannot set it. */
export const userSlug: FieldShape = (field) => {
  const draft = field();
  const { encode } = draft.responseKind;
  return {
    ...draft,
    target: null,
    responseKind: {
      ...draft.responseKind,
      encode: (value) => (typeof value === 'string' && value.startsWith('~') ? '' : encode ? encode(value) : value),
    },
  };
};
