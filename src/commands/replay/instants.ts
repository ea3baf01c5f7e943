const instants = /\b(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?(?!\d)/g;

/** How far the clock of a server may be from ours, in milliseconds. */
const apart = 60_000;

/** Takes the moments out of a text at which it was asked: servers that are asked one after the other cannot agree on them. */
export function withoutNow(text: string, begun: number): string {
  const [first, last] = [begun - apart, Date.now() + apart];
  return text.replace(instants, (written, day: string, between: string, time: string, zone: string | undefined) => {
    const at = Date.parse(`${day}T${time}${zone ?? 'Z'}`);
    return at >= first && at <= last ? `now, as ${between}${zone ?? ''}`.trimEnd() : written;
  });
}
