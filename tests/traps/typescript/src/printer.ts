export default class Printer {
  send(): void {}
}
