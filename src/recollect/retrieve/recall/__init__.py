"""What the stages that rank memories share."""
