/**
 * Flags of Node with which a service process starts.
 *
 * Requests create many objects that are garbage soon after. By default Node lets them fill up to 64 MB before it collects them. With 16 MB a
 * busy process takes 60 to 90 MB less and no more processor time. The size can only be set when a process starts.
 */
export const nodeFlags = ['--max-semi-space-size=16'] as const;
