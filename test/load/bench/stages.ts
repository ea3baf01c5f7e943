/** CPU profile of V8. */
export interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  /** Sampling interval in µs. */
  timeDeltas: number[];
}

/** Stages of a request, in the order of execution. */
export const stages = ['HTTP', 'token', 'arguments', 'execution', 'SQL', 'encoding', 'usage', 'garbage', 'runtime'] as const;
export type Stage = (typeof stages)[number];

/**
 * Patterns of source files with their stages. The first match counts. Sockets and streams of Node.js are excluded, because HTTP and SQL
 * both use them.
 */
const rules: readonly (readonly [RegExp, Stage])[] = [
  // The usage counters of `/v1`, and the headers of deprecated routes.
  [/modules\/usage\/|compat\/engine\/reply\/deprecation\./, 'usage'],
  [
    /node_modules\/(?:pg|pg-pool|pg-protocol|pg-types|postgres-\w+|kysely|@mikro-orm)\/|src\/database\/|kernel\/(?:session|statement)\./,
    'SQL',
  ],
  [/modules\/accounts\/(?:[\w-]+\/)?(?:authenticator|token-cache|credentials|origins)|compat\/engine\/admission\./, 'token'],
  [/compat\/engine\/request\/|src\/graphql\/(?:coercion|documents)\/|graphql\/(?:utilities|language)\//, 'arguments'],
  [/compat\/engine\/reply\/|node_modules\/@graphql-tools\/executor\//, 'encoding'],
  [
    /node_modules\/(?:graphql-jit|dataloader|type-graphql|graphql)\/|kernel\/|src\/modules\/|src\/graphql\/(?:run|execute|context)\./,
    'execution',
  ],
  [/^node:_http|node_modules\/|compat\/|src\//, 'HTTP'],
];

const stageOfFrame = ({ functionName, url }: Profile['nodes'][number]['callFrame']): Stage | null => {
  if (functionName === '(garbage collector)') return 'garbage';
  return url === '' ? null : (rules.find(([pattern]) => pattern.test(url))?.[1] ?? null);
};

/** Returns the CPU time after `start` µs, in µs, keyed by stage. The time of native and generated functions counts toward their callers. */
export function timeByStage({ nodes, samples, timeDeltas }: Profile, start: number): Record<Stage, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const stageById = new Map<number, Stage>();
  const stageOf = (id: number): Stage => {
    const cachedStage = stageById.get(id);
    if (cachedStage) return cachedStage;
    const frame = frames.get(id);
    const parent = parents.get(id);
    const above = parent === undefined ? 'runtime' : stageOf(parent);
    const own = (frame && stageOfFrame(frame)) ?? above;
    // Work that the usage counters start, such as writing them, counts as `usage`.
    const stage = above === 'usage' && own !== 'garbage' ? above : own;
    stageById.set(id, stage);
    return stage;
  };
  const times = Object.fromEntries(stages.map((stage) => [stage, 0])) as Record<Stage, number>;
  let time = 0;
  for (const [index, id] of samples.entries()) {
    const took = timeDeltas[index] ?? 0;
    time += took;
    if (time >= start && frames.get(id)?.functionName !== '(idle)') times[stageOf(id)] += took;
  }
  return times;
}
