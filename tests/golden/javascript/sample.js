#!/usr/bin/env node
'use strict';

const path = require('path');
const { readFile, writeFile: write } = require('node:fs/promises');
const debounce = require('lodash').debounce;
require('./register');
import React, { useState as state } from 'react';
import * as api from '../api.js';
import './styles.css';
export { parse as parseOrder } from './parser';
export * from './shared';

const LIMIT = Number(process.env.ORDER_LIMIT);
let counter = 0;

/**
 * Loads one order.
 * @param {string} id
 */
export async function loadOrder(id, options = {}) {
  const response = await fetch(`/api/orders/${id}`, options);
  if (!response.ok) {
    throw new HttpError(response.status);
  }
  return response.json().then((body) => api.decode(body, onOrder));
}

// Doubles things.
export const double = (value) => value * 2;
const twice = value => double(value);
var legacy = function () { return counter; };

export function* ids() { yield 1; }

class Base {}

export default class OrderStore extends Base {
  static shared = new OrderStore();
  #secret = 1;
  handler = (event) => this.reload(event);

  constructor(client) {
    super();
    this.client = client;
    this.cache = new Map();
    this.orders = api.list();
  }

  get size() {
    return this.cache.size;
  }

  set size(value) {
    this.cache.size = value;
  }

  async reload(event) {
    this.client?.send('reload', event);
    for (const order of this.orders) order.touch();
    await import('./lazy.js');
    return this.#hidden();
  }

  #hidden() { return this.#secret; }

  static create() { return new this(api.client); }
}

function Legacy(name) {
  this.name = name;
  this.greet = function () { return `hi ${name}`; };
}

Legacy.prototype.shout = function (loud) {
  return this.name.toUpperCase();
};

const routes = {
  list() { return double(1); },
  show: async (req, res) => { res.send(req.params.id); },
  remove: loadOrder,
};

app.get('/orders/:id', requireUser, routes.show);
app.use = function use(fn) { this.stack.push(fn); };
setTimeout(twice, 100);
button.addEventListener('click', function onClick(event) {
  debounce(loadOrder, 50)(event);
});

function Panel({ orders, onOpen }) {
  const [open, setOpen] = state(false);
  return <List items={orders} onClick={twice}><api.Item /></List>;
}

const Anonymous = class extends api.Thing {
  run() {}
};

describe('orders', () => {
  beforeEach(() => loadOrder('1'));
  it('loads', async () => {
    expect(await loadOrder('2')).toBe(1);
  });
});

exports.legacyName = function (a, b) { return a; };
module.exports = { Panel, Legacy };

defineGetter(req, 'protocol', function protocol() {
  return this.connection.encrypted ? 'https' : 'http';
});
