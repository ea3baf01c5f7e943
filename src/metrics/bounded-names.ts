/**
 * Limits label values that clients control. Values after the first `most` become `other`, because each value is a permanent time
 * series.
 */
export function boundedNames(most: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= most) return 'other';
    known.add(name);
    return name;
  };
}
