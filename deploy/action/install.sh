#!/usr/bin/env bash
# Installs Quern into a folder, unless the cache has restored it.
set -euo pipefail

if [ -x "$QUERN_FOLDER/node_modules/.bin/quern" ]; then
  echo "Quern $("$QUERN_FOLDER/node_modules/.bin/quern" --version) from the cache"
  exit
fi
flags=(--ignore-scripts --no-audit --no-fund --loglevel error)
if [ -z "$QUERN_PACKAGE" ]; then
  cd "$GITHUB_ACTION_PATH"
  npm ci "${flags[@]}"
  npm run build --silent
  node scripts/pack.js strip
  QUERN_PACKAGE=$RUNNER_TEMP/$(npm pack --ignore-scripts --silent --pack-destination "$RUNNER_TEMP")
  node scripts/pack.js restore
fi
mkdir -p "$QUERN_FOLDER"
# After `--`, no value is an option.
npm install --prefix "$QUERN_FOLDER" "${flags[@]}" -- "$QUERN_PACKAGE"
echo "Quern $("$QUERN_FOLDER/node_modules/.bin/quern" --version)"
