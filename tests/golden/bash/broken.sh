#!/bin/sh

good() {
  echo "$1"
}

broken() {
  if [ -n "$1" ; then
    (good "a"
  fi
}

last() {
  good "b"
}

last
