/**
 * Limits label values that clients control. Values after the first `maxValues` become `other`, because each value is a permanent time
 * series.
 */
export function limitLabelValues(maxValues: number): (name: string) => string {
  const knownValues = new Set<string>();
  return (name) => {
    if (knownValues.has(name)) return name;
    if (knownValues.size >= maxValues) return 'other';
    knownValues.add(name);
    return name;
  };
}
