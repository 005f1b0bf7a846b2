send() {
  helper
}

helper() {
  echo mail
}
