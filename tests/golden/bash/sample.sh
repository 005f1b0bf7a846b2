#!/usr/bin/env bash
# Sends mail from the shell.
set -euo pipefail

source "$(dirname "$0")/lib/mail.sh"
. "$HOME/.config/mailer"
source lib/text.sh

readonly MAX_RETRIES=3
declare -A HANDLERS=([plain]=send_plain [html]=send_html)
declare -r LOG_LEVEL="info"
export MAILER_HOME="${MAILER_HOME:-/opt/mailer}"
count=0
names=(one two)
alias ll='ls -l'

# Sends a message.
#
# $1: who gets it
send() {
  local recipient="$1"
  local -i tries=0
  while ((tries < MAX_RETRIES)); do
    deliver "$recipient" "$(render "$2")" && return 0
    tries=$((tries + 1))
  done
  log error "failed after $tries tries"
  curl -s "https://example.org/$recipient" | grep -q sent
  return 1
}

function render {
  cat <<TEXT
Hello $(full_name "$1"), ${names[0]}
TEXT
}

function full_name() {
  inner() {
    trim "$1"
  }
  inner "$1"
}

mail::queue() (
  cd "$MAILER_HOME" || exit 1
  for file in *.mail; do
    send "$file" < "$file"
  done
)

_cleanup() {
  rm -f "$LOCK"
}

parse_options() {
  while getopts "hv" option; do
    case "$option" in
      h) usage ;;
      v) verbose=1 ;;
      *) die "unknown" ;;
    esac
  done
}

if [[ -n "${DEBUG:-}" ]]; then
  log() { echo "debug: $*" >&2; }
else
  log() { :; }
fi

main() {
  trap _cleanup EXIT
  parse_options "$@"
  "$handler" "$1"
  "${HANDLERS[plain]}" "$1"
  if ! send "$1"; then
    die "no"
  elif render "$1"; then
    :
  fi
  export -f render
  find . -name '*.mail' -exec send {} \;
  xargs send < list
  eval "$command"
  python3 -m mailer
}

test_send() {
  send "x"
}

@test "sends a message" {
  load helper
  run send "x"
  [ "$status" -eq 0 ]
}

@test renders without quotes {
  render "x"
}

main "$@"
