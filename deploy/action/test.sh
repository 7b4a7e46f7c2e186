#!/usr/bin/env bash
# Fills a new home and runs the data tests of a project. Exits as `quern test` does: 1 if a test failed, 2 for an option or
# a selector that is wrong, 3 for scripts with errors.
set -euo pipefail

export PATH="$QUERN_FOLDER/node_modules/.bin:$PATH"
export QUERN_HOME="${QUERN_HOME:-$RUNNER_TEMP/quern-home}"

if [[ $QUERN_JUNIT == *$'\n'* ]]; then
  echo "::error title=Quern::the input \`junit\` must be the name of one file"
  exit 2
fi
if ! cd -- "$QUERN_PROJECT"; then
  echo "::error title=Quern::the input \`project\` is not a folder of the repository"
  exit 2
fi

[ -e "$QUERN_HOME" ] || quern --quiet init --empty "$QUERN_HOME"
if [ -n "$QUERN_PREPARE" ]; then
  bash -euo pipefail -c "$QUERN_PREPARE"
fi

selectors=()
while IFS= read -r line; do
  line=${line%$'\r'}
  [[ -z ${line// /} ]] || selectors+=("$line")
done <<<"$QUERN_SELECT"

echo "junit=$(realpath --no-symlinks -- "$QUERN_JUNIT")" >>"$GITHUB_OUTPUT"
status=0
quern test --reporter github --reporter "junit=$QUERN_JUNIT" -- "${selectors[@]}" || status=$?
case $status in
  0 | 1) ;;
  *) echo "::error title=Quern::no test has run: the log of this step has the reason (exit code $status)" ;;
esac
exit "$status"
