class Client {
  send() {
    return send();
  }
}

function send() {}

module.exports = { Client, send };
