load helper

@test "sends" {
  prepare
  run check
}
