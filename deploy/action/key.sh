#!/usr/bin/env bash
# Prints the folder of the installation, and the key of its cache: what is installed, and what runs it.
set -euo pipefail

if [ -z "$QUERN_PACKAGE" ]; then
  cd "$GITHUB_ACTION_PATH"
  content=$(find bin src web schema fixtures/demo scripts package.json package-lock.json -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum)
elif [ -f "$QUERN_PACKAGE" ]; then
  content=$(sha256sum <"$QUERN_PACKAGE")
else
  content=$QUERN_PACKAGE
fi
hash=$(printf '%s' "$content" | sha256sum | cut -c 1-32)
{
  echo "folder=$RUNNER_TEMP/quern"
  echo "key=quern-$RUNNER_OS-$RUNNER_ARCH-node$(node --version)-$hash"
} >>"$GITHUB_OUTPUT"
