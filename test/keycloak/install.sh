#!/usr/bin/env bash
# Installs Keycloak, built for its database in memory, into `.server`; does nothing if it is already installed.
set -euo pipefail
cd "$(dirname "$0")"

version=26.4.0
[ "$(cat .server/built 2>/dev/null)" = "$version" ] && exit
rm -rf .server
mkdir .server
mvn -q -B dependency:copy -Dartifact="org.keycloak:keycloak-quarkus-dist:$version:tar.gz" -DoutputDirectory=.server
tar -xzf .server/*.tar.gz -C .server --strip-components=1
rm .server/*.tar.gz
.server/bin/kc.sh build --db=dev-mem
echo "$version" > .server/built
