export class Client {
  send(): void {}
}

export function send(): Client {
  return new Client();
}
