# Runs with an embedded PostgreSQL in /data, or with the PostgreSQL of DATABASE_URL.
FROM node:24-bookworm-slim AS dashboard

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY scripts scripts
COPY tsconfig.json ./
COPY web web
RUN npm run build

FROM node:24-bookworm-slim

WORKDIR /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data

COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force

COPY . .
COPY --from=dashboard /app/web/dist web/dist
RUN node scripts/setup.mjs && mkdir /data && chown node:node /data

USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "dist/current/src/cli/index.js", "serve"]
