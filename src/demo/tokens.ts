/** Fixed sign-ons of the demo season, printed at the start and in the README; they exist in demo data only. */
export const demo = {
  platformToken: 'demo-platform-token',
  publishableKey: 'pk_demo-publishable-key',
  userToken: 'demo-user-token',
  adminToken: 'demo-admin-token',
  adminEmail: 'admin@courtside.test',
  adminPassword: 'courtside-demo',
};
