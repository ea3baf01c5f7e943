import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { costsOfMix, limitOf, type RequestCosts, sizeFor } from './capacity/model.js';

const costs: RequestCosts = { serviceCpu: 200, databaseCpu: 100, roundTrips: 2, databaseTime: 500, responseBytes: 1_000 };

describe('the capacity model', () => {
  test('limits a setup by the CPU time of its processes', () => {
    expect(limitOf(costs, { processes: 2, connections: 100, latency: 0 })).toEqual({ resource: 'processes', rate: 10_000 });
  });

  test('limits a setup by its connections, which wait for the network and the database', () => {
    expect(limitOf(costs, { processes: 2, connections: 4, latency: 1_500 })).toEqual({ resource: 'connections', rate: 2_000 });
  });

  test('limits a setup by the cores that it shares with other programs', () => {
    const shared = { cores: 2, otherCpu: 100 };
    expect(limitOf(costs, { processes: 4, connections: 100, latency: 0, shared })).toEqual({
      resource: 'shared cores',
      rate: 5_000,
    });
  });

  test('returns the resources for a request rate at a utilization of 60%', () => {
    expect(sizeFor(6_000, costs, 500)).toEqual({ processes: 2, databaseCores: 1, busyConnections: 12, traffic: 48 });
  });

  test('averages the costs of a mix, and weights the response time of the database by round trips', () => {
    const other: RequestCosts = { serviceCpu: 600, databaseCpu: 300, roundTrips: 6, databaseTime: 100, responseBytes: 3_000 };
    expect(
      costsOfMix([
        { share: 0.5, costs },
        { share: 0.5, costs: other },
      ]),
    ).toEqual({ serviceCpu: 400, databaseCpu: 200, roundTrips: 4, databaseTime: 200, responseBytes: 2_000 });
  });

  test('docs/growing.md contains the resources that follow from its costs', () => {
    const [, section = ''] = readFileSync(new URL('../../docs/growing.md', import.meta.url), 'utf8').split(
      '## Estimate the capacity',
    );
    const costsOf = (request: string): RequestCosts => {
      const cells = section
        .split('\n')
        .find((line) => line.startsWith(`| ${request} |`))
        ?.split('|')
        .map(Number);
      const [serviceCpu = 0, databaseCpu = 0, roundTrips = 0, databaseTime = 0, responseBytes = 0] = cells?.slice(2) ?? [];
      return { serviceCpu, databaseCpu, roundTrips, databaseTime, responseBytes };
    };
    const mix = costsOfMix([
      { share: 0.8, costs: costsOf('one tournament') },
      { share: 0.15, costs: costsOf('an upsert that changes a row') },
      { share: 0.05, costs: costsOf('nested GraphQL') },
    ]);
    const rows = [1_000, 10_000, 100_000].map((rate) => {
      const { processes, databaseCores, busyConnections, traffic } = sizeFor(rate, mix, 2_000);
      return `| ${rate.toLocaleString('en')} | ${[processes, databaseCores, busyConnections, traffic].join(' | ')} |`;
    });
    expect(rows.filter((row) => !section.includes(row))).toEqual([]);
  });
});
