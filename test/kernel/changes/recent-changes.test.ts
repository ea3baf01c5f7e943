import { expect, test } from 'vitest';
import type { Change } from '../../../src/kernel/changes/change.js';
import { checksumOf, checksumRange, minRecentChanges, RecentChanges } from '../../../src/kernel/changes/recent-changes.js';

const changeAt = (position: number): Change => ({
  position,
  at: '2026-05-01T12:00:00Z',
  record: position % 2 ? 'Team' : 'Club',
  id: `row-${position}`,
  kind: 'CREATED',
  fields: [],
  refs: [],
  author: { userId: null, platformId: null },
});

/** Returns the changes in a range of positions. Excludes `start`. Every third position is missing, as after a rollback. */
const changesIn = (start: number, end: number): Change[] =>
  Array.from({ length: end - start }, (_, index) => changeAt(start + index + 1)).filter(({ position }) => position % 3 > 0);

const lineage = 'lineage';

test.each<[string, Partial<Change>]>([
  ['the position', { position: 5 }],
  ['the time', { at: '2026-05-01T12:00:00.000001Z' }],
  ['the type', { record: 'League' }],
  ['the ID', { id: 'other' }],
])('a checksum depends on %s of each change', (_, difference) => {
  const changes = [changeAt(1), changeAt(2), changeAt(4)];
  const differing = changes.map((change, index) => checksumOf(lineage, changes.with(index, { ...change, ...difference })));
  const checksums = [checksumOf(lineage, changes), ...differing];
  expect({ same: checksumOf(lineage, [...changes]), distinct: new Set(checksums).size }).toEqual({
    same: checksums[0],
    distinct: 4,
  });
});

test('a checksum depends on the lineage of the log and the number of changes', () => {
  const changes = [changeAt(1), changeAt(2)];
  const checksums = [checksumOf(lineage, changes), checksumOf('other', changes), checksumOf(lineage, changes.slice(1))];
  expect(new Set(checksums).size).toBe(3);
});

/** Adds changes in batches, as they are read from the log. */
function add(recent: RecentChanges, changes: readonly Change[]): void {
  for (let index = 0; index < changes.length; index += 700) recent.add(changes.slice(index, index + 700));
}

test('recent changes have the checksums of the log, after old ones are removed from memory', () => {
  const recent = new RecentChanges();
  const last = 6 * minRecentChanges;
  add(recent, changesIn(0, last));
  const positions = [recent.start + checksumRange, recent.start + checksumRange + 1, last - 7, last];
  expect({
    hasLeft: recent.start > last - 4 * minRecentChanges,
    checksums: positions.map((position) => recent.checksumAt(position, lineage)),
    tooEarly: recent.checksumAt(recent.start + checksumRange - 1, lineage),
  }).toEqual({
    hasLeft: true,
    checksums: positions.map((position) => checksumOf(lineage, changesIn(position - checksumRange, position))),
    tooEarly: undefined,
  });
});

test('checksums cover only changes that have not been removed from the log', () => {
  const recent = new RecentChanges();
  add(recent, changesIn(0, 100));
  recent.lastRemoved = 50;
  expect(recent.checksumAt(80, lineage)).toBe(checksumOf(lineage, changesIn(50, 80)));
});

test('after a restart, only changes after the new start position are included', () => {
  const recent = new RecentChanges();
  add(recent, changesIn(0, 6 * minRecentChanges));
  recent.restart(100);
  add(recent, changesIn(100, 4_000));
  expect({
    start: recent.start,
    checksum: recent.checksumAt(3_000, lineage),
    tooEarly: recent.checksumAt(100 + checksumRange - 1, lineage),
    after: recent.after(3_990, ({ record }) => record === 'Team').map(({ position }) => position),
  }).toEqual({
    start: 100,
    checksum: checksumOf(lineage, changesIn(3_000 - checksumRange, 3_000)),
    tooEarly: undefined,
    after: [3_991, 3_995, 3_997],
  });
});
