import type { TestApp } from './app.js';

/** How many statements a request takes; the least of some, because now and then one asks again whose token it is. */
export async function statementsOf(app: TestApp, request: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let run = 0; run < 4; run++) {
    const before = app.statements();
    await request();
    counts.push(app.statements() - before);
  }
  return Math.min(...counts);
}
