"""What earlier questions taught: views of events, none of which is ever changed or counted twice."""
