#!/usr/bin/env bash
source "$(dirname "$0")/lib/mail.sh"

function work() {
  send "x"
  local out
  out=$(check "y")
  grep -q a b && finish
}

check() { echo "$1"; }
finish() { exit 0; }

work
