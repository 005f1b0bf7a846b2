import { Base, send as post } from "./base.js";
import Printer from "./base.js";
const mail = require("./mail");
const { Client } = require("./mail");

class Disk extends Base {
  constructor(name) {
    super(name);
    this.client = new Client();
  }

  save() {
    super.save();
    this.client.send();
    post();
    mail.send();
    this.validate();
  }
}

function work(send) {
  send();
  const disk = new Disk("a");
  disk.save();
  disk.validate();
  const inner = () => post();
  inner();
  new mail.Client().send();
  [1].map((x) => x).push(2);
}

function unknown(thing) {
  thing.validate();
}
