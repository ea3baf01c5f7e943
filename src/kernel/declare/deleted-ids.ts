/** Returns the description of a field with the IDs of the records that mutations delete together with the returned record. */
export const describeDeletedIds = (records: string, ...mutations: readonly string[]): string =>
  `IDs of the ${records} that ${mutations.map((name) => `\`${name}\``).join(' or ')} deleted. Empty otherwise.`;
