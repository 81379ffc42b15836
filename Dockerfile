# Runs with an embedded PostgreSQL in /data, or with the PostgreSQL of DATABASE_URL. `node scripts/prove-image.mjs` builds and starts it
# without a container engine.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/
RUN npm ci --omit=dev
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
COPY web web
RUN node scripts/setup.mjs

FROM node:24-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/
# The service and its dashboard are built already.
RUN npm ci --omit=dev --workspaces=false && rm -rf node_modules/rolldown node_modules/@rolldown

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
RUN mkdir /data && chown node:node /data
COPY --from=modules /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/web/dist web/dist
COPY package.json ./
COPY src src
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/current/src/cli/index.js", "serve"]
