import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { loadConfig, variables } from '../../src/config.js';

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split('\n');
  }
};

test('no subgraph is served without a secret of routers', () => {
  const problem = 'ROUTER_SECRET must be set too when SUBGRAPHS is set: no subgraph is open without it.';
  expect([
    loadConfig({ ROUTER_SECRET: 'router' }).subgraphs,
    loadConfig({ SUBGRAPHS: 'none', GRAPH: 'off' }).subgraphs,
    problemsOf({ SUBGRAPHS: 'all' }),
    problemsOf({ SUBGRAPHS: 'news', ROUTER_SECRET: '' }),
    problemsOf({ GRAPH: 'off' }),
  ]).toEqual(['all', 'none', [problem], [problem], ['ROUTER_SECRET must be set too when GRAPH is off, or SUBGRAPHS be none.']]);
});

test('an empty secret opens nothing', () => {
  const problem = ['ROUTER_SECRET must be secrets with commas between them, none empty and none twice.'];
  expect([',', 'router,', 'router, ,next', 'router,router'].map((text) => problemsOf({ ROUTER_SECRET: text }))).toEqual(
    Array(4).fill(problem),
  );
});

test('every variable is described', () => {
  expect(variables.filter(({ description }) => description === '')).toEqual([]);
});

test('workers divide the connections, and each needs two', () => {
  const pools = (env: Record<string, string>) => {
    const { workers, databasePool } = loadConfig(env);
    return [workers, databasePool];
  };
  expect([
    pools({ WORKERS: '4' }),
    pools({ WORKERS: '4', DATABASE_POOL: '30' }),
    pools({ WORKERS: '1', DATABASE_POOL: '30' }),
    pools({ WORKERS: 'auto' })[0],
  ]).toEqual([[4, 6], [4, 7], [1, 30], Math.min(availableParallelism(), 64)]);
  expect([
    problemsOf({ WORKERS: '4', DATABASE_POOL: '7' }),
    problemsOf({ WORKERS: '0' }),
    problemsOf({ WORKERS: 'all' }),
  ]).toEqual([
    ['DATABASE_POOL must be at least 2 for each of the WORKERS: 8 for 4.'],
    ['WORKERS must be auto, or a whole number from 1 to 64.'],
    ['WORKERS must be auto, or a whole number from 1 to 64.'],
  ]);
});
