import { Base, Store, send as post } from "./base";
import * as mail from "./mail";
import Printer from "./printer";

export class Disk extends Base implements Store {
  private client: mail.Client;
  private stores: Store[] = [];
  other = new mail.Client();

  constructor(private readonly printer: Printer, name: string) {
    super(name);
    this.client = new mail.Client();
  }

  save(key: string): void {
    super.save(key);
    this.client.send();
    this.other.send();
    this.printer.send();
    this.stores[0].save(key);
    this.stores.forEach((s) => s.save(key));
    post();
    mail.send();
    const send = () => this.validate();
    send();
  }
}

export const open = (name: string): Disk => new Disk(new Printer(), name);

export function work(send: () => void) {
  send();
  const disk = open("a");
  disk.save("b");
  disk.validate();
  Base.create().save("c");
  function inner() {
    post();
  }
  inner();
  const items: string[] = [];
  items.push("x");
}

export function unknown(thing: any) {
  thing.validate();
}
