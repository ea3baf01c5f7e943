/** Public tokens and password of the demo data. They are printed at startup and documented in the README. */
export const demo = {
  platformToken: 'demo-platform-token',
  publishableKey: 'pk_demo-publishable-key',
  userToken: 'demo-user-token',
  adminToken: 'demo-admin-token',
  adminEmail: 'admin@courtside.test',
  adminPassword: 'courtside-demo',
};
