export class Base {
  constructor(name) {
    this.name = name;
  }

  save() {
    this.validate();
  }

  validate() {}

  static create() {
    return new Base("x");
  }
}

export function send() {}

export default class Printer {
  print() {}
}
