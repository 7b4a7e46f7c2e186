#!/usr/bin/env bash
# Installs Keycloak into `.server`, with a database that has the realm and the administrator of the tests; does nothing if
# that is already installed. The realm's keys are new in each installation.
set -euo pipefail
cd "$(dirname "$0")"

version=26.4.0
# The realm hashes passwords with little work, because those of its users are not secret.
realm='{"realm": "quern", "enabled": true, "passwordPolicy": "hashAlgorithm(pbkdf2-sha256) and hashIterations(1)"}'
built="$version $realm"
[ "$(cat .server/built 2>/dev/null)" = "$built" ] && exit
rm -rf .server
mkdir .server
mvn -q -B dependency:copy -Dartifact="org.keycloak:keycloak-quarkus-dist:$version:tar.gz" -DoutputDirectory=.server
tar -xzf .server/*.tar.gz -C .server --strip-components=1
rm .server/*.tar.gz
.server/bin/kc.sh build --db=dev-file
# Creates the tables, which takes half of the time of a start, and the realm.
echo "$realm" > .server/realm.json
KC_BOOTSTRAP_ADMIN_USERNAME=root KC_BOOTSTRAP_ADMIN_PASSWORD='root of the tests' \
  .server/bin/kc.sh import --optimized --file .server/realm.json
echo "$built" > .server/built
