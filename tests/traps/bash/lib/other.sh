send() {
  echo other
}
