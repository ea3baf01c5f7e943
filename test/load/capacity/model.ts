/** Costs of a request. Times are in microseconds. */
export interface RequestCosts {
  /** CPU time of the service. */
  readonly serviceCpu: number;
  /** CPU time of PostgreSQL. */
  readonly databaseCpu: number;
  /** Number of times that the service waits for a response of PostgreSQL. */
  readonly roundTrips: number;
  /** Time in which PostgreSQL responds, per round trip, without the network. */
  readonly databaseTime: number;
  /** Size of the response to the client, in bytes. */
  readonly responseBytes: number;
}

/** Processes of the service and their connections to the database. */
export interface Setup {
  readonly processes: number;
  /** Database connections per process (`DATABASE_POOL`). */
  readonly connections: number;
  /** Network latency between a process and the database, in microseconds for both directions. */
  readonly latency: number;
  /** Cores that the processes, PostgreSQL and all other programs share, and the CPU time of the other programs per request. */
  readonly shared?: { readonly cores: number; readonly otherCpu: number };
}

const second = 1e6;

/** Time for which a request occupies a database connection, in microseconds. */
const connectionTime = ({ roundTrips, databaseTime }: RequestCosts, latency: number): number =>
  roundTrips * (latency + databaseTime);

/** Resource that limits the number of requests per second, and this limit. */
export interface Limit {
  readonly resource: 'connections' | 'processes' | 'shared cores';
  readonly rate: number;
}

/** Returns the lowest limit of a setup: a process uses one core, and a connection runs one statement at a time. */
export function limitOf(costs: RequestCosts, { processes, connections, latency, shared }: Setup): Limit {
  const limits: Limit[] = [
    { resource: 'processes', rate: (processes * second) / costs.serviceCpu },
    { resource: 'connections', rate: (processes * connections * second) / connectionTime(costs, latency) },
    ...(shared
      ? [
          {
            resource: 'shared cores' as const,
            rate: (shared.cores * second) / (costs.serviceCpu + costs.databaseCpu + shared.otherCpu),
          },
        ]
      : []),
  ];
  return limits.reduce((lowest, limit) => (limit.rate < lowest.rate ? limit : lowest));
}

/** Resources for a number of requests per second. */
export interface Size {
  readonly processes: number;
  readonly databaseCores: number;
  /** Connections in use at the same time, on average. */
  readonly busyConnections: number;
  /** Outgoing traffic to clients, in megabits per second. */
  readonly traffic: number;
}

/** Share of each core that may be used on average, so that response times stay short during bursts. */
export const targetUtilization = 0.6;

/** Returns the resources for a number of requests per second with a network latency in microseconds. */
export const sizeFor = (rate: number, costs: RequestCosts, latency: number): Size => ({
  processes: Math.ceil((rate * costs.serviceCpu) / second / targetUtilization),
  databaseCores: Math.ceil((rate * costs.databaseCpu) / second / targetUtilization),
  busyConnections: Math.ceil((rate * connectionTime(costs, latency)) / second),
  traffic: Math.round((rate * costs.responseBytes * 8) / 1e6),
});

/** Returns the average costs of a mix of requests. The shares must add up to 1. */
export function costsOfMix(parts: readonly { readonly share: number; readonly costs: RequestCosts }[]): RequestCosts {
  const sum = (value: (costs: RequestCosts) => number) =>
    parts.reduce((total, { share, costs }) => total + share * value(costs), 0);
  const roundTrips = sum((costs) => costs.roundTrips);
  return {
    serviceCpu: sum((costs) => costs.serviceCpu),
    databaseCpu: sum((costs) => costs.databaseCpu),
    roundTrips,
    databaseTime: sum((costs) => costs.roundTrips * costs.databaseTime) / roundTrips,
    responseBytes: sum((costs) => costs.responseBytes),
  };
}
