import manifest from '../../package.json' with { type: 'json' };

/** Version of this release, such as `0.1.0`. */
export const release = manifest.version;

/** Whether release `one` is newer than release `other`. */
export const isNewerRelease = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) > 0;
