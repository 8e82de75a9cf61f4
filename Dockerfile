# No container engine has run this file. Its steps were carried out by hand instead, in the same order
# (docs/deploying.md).

# The Node version that the tests use: see optionalDependencies in package.json. A tag can be moved to
# another image. To build from the same one for ever, pin its digest in both FROM lines, as in
# node:26.10.0-slim@sha256:…; this prints it:
#   docker buildx imagetools inspect node:26.10.0-slim --format '{{.Manifest.Digest}}'
FROM node:26.10.0-slim AS package
WORKDIR /build
COPY package.json package-lock.json ./
COPY client ./client
COPY discord ./discord
# With the optional packages: one of them is the compiler for this platform.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json openapi.json README.md LICENSE ./
COPY bin ./bin
COPY console ./console
COPY scripts ./scripts
COPY src ./src
# The package as npm publishes it, and beside it the versions of the lock. The base image has the right
# Node, so the packages that would install one are omitted. What is left of workspaces are links that
# would lead nowhere.
RUN npm pack && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && rm -r node_modules/@realmkeep node_modules/realmkeep-discord \
  && mkdir /app && tar -xzf realmkeep-*.tgz -C /app --strip-components=1 && mv node_modules /app

FROM node:26.10.0-slim
WORKDIR /app
COPY --from=package /app ./
# The default database, sqlite:data/realmkeep.db, and the keys are in this folder: mount a volume on
# it. Nothing else is ever written, so the root file system may be read-only. PostgreSQL needs no
# volume if ROOT_KEY and SECRET_KEY are set.
RUN mkdir data && chown 1000:1000 data && chmod 700 data
ENV NODE_ENV=production HOST=0.0.0.0
EXPOSE 8080
# The user "node" of the base image, by number: runAsNonRoot in Kubernetes accepts only a number.
USER 1000:1000
# /healthz, not /readyz: an unavailable database is no reason to replace this container. Each check
# starts a Node, which takes a while on a busy machine: load must not make a container unhealthy.
HEALTHCHECK --interval=15s --timeout=10s --start-period=30s --retries=4 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No shell in between, so SIGTERM arrives. A stop takes at most 10 seconds, which is how long Docker
# waits. The log is kept, so it has neither the new root key, which is in data/root.key, nor the link
# to the console, which the command console-link prints.
ENTRYPOINT ["node", "bin/realmkeep.mjs"]
CMD ["serve"]
