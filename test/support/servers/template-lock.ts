/** Advisory lock that the global setup holds until the template database is complete. */
export const templateLock = 1;
