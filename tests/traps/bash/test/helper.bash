prepare() {
  check "ready"
}

check() { :; }
