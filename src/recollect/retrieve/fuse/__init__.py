"""Many ranked lists into one."""
