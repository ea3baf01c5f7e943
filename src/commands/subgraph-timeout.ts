/** How long a gateway waits for a subgraph's part of an answer, in milliseconds: the rest of the answer does not wait longer for one that hangs. */
export const subgraphTimeout = 5_000;
