export function before(a) {
  return a + 1;
}

class Broken {
  fine() { return before(1); }

  open(value {
    return value + ;
  }

  after() { return this.fine(); }
}

const last = () => before(2);
