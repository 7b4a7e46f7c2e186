# An image of the server: `docker build --tag quern .` (docs/guides/deploy-docker.md).

FROM node:24.21.0-bookworm-slim AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
WORKDIR /build
# The packages are a layer of their own: a change of the source does not install them again.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The image has the files of the npm package, with the locked versions of its dependencies.
RUN npm run build \
  && node scripts/pack.js strip \
  && npm pack --ignore-scripts --pack-destination /tmp \
  && mkdir -p /opt/quern \
  && tar -xzf /tmp/quern-*.tgz -C /opt/quern --strip-components 1 \
  && cp package-lock.json .npmrc deploy/docker/health.js /opt/quern/
WORKDIR /opt/quern
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
COPY --from=build /opt/quern /opt/quern
RUN ln -s /opt/quern/bin/quern.js /usr/local/bin/quern \
  && install -d -o node -g node -m 0700 /var/lib/quern
ENV NODE_ENV=production \
  QUERN_HOME=/var/lib/quern \
  QUERN_HOST=0.0.0.0 \
  QUERN_PORT=8080 \
  XDG_CACHE_HOME=/tmp
# The user `node` of the base image, by its number, so that Kubernetes can see that it is not root.
USER 1000:1000
WORKDIR /var/lib/quern
VOLUME /var/lib/quern
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["node", "/opt/quern/health.js"]
# Without a shell, so that signals reach the server.
ENTRYPOINT ["quern"]
CMD ["serve"]
