const offset = Math.floor(Math.random() * 1000);
let last = 0;

/** A number of its own for every request: it grows, and processes that start together are unlikely to share one. */
export const nextRequestId = (): number => {
  last = Math.max(last + 1, Date.now() * 1000 + offset);
  return last;
};
