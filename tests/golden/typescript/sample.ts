import { Injectable, type Provider } from '@angular/core';
import type { User } from './models';
import fs = require('fs');
import settings from './settings';

export type Id<T> = string | T;
type Handlers = Record<string, (event: Event) => void>;

/** What can be stored. */
export interface Stored<K extends string = string> extends Base<K>, api.Named {
  readonly id: K;
  tags?: string[];
  save(target: Store<K>, force?: boolean): Promise<void>;
  new (id: K): Stored<K>;
}

export enum Level {
  Low = 1,
  High,
}

export namespace Shapes {
  export const unit: Shape = new Square(1);
  export function area(shape: Shape): number {
    return shape.width * unit.width;
  }
}

declare function external(name: string): void;

export function find(id: number): User;
export function find(id: string): User;
export function find(id: number | string): User {
  return external(id as string) as unknown as User;
}

@Injectable({ providedIn: 'root' })
export class Repository<T extends Stored> extends Base<T> implements Reader<T>, api.Writer {
  @Input() limit: number = 10;
  private readonly cache: Map<string, T[]> = new Map();
  protected static instance?: Repository<any>;
  onChange = (value: T): void => this.notify(value);

  constructor(private readonly client: HttpClient, public name: string, plain?: Level) {
    super(client);
  }

  get size(): number {
    return this.cache.size;
  }

  @log('load')
  async load(id: Id<T>, ...rest: string[]): Promise<T | undefined> {
    const found: Stored | null = this.cache.get(id);
    const fresh = await this.client.get<T>('/items');
    const key = process.env['REPO_KEY'];
    rest.forEach((part) => find(part));
    try {
      return fresh!.body satisfies T;
    } catch (error) {
      throw new api.NotFound(`no ${id}`);
    }
  }

  private notify(value: T) {
    settings.hooks.forEach(handle);
  }

  abstract hidden(): void;
}

abstract class Shape {
  abstract width: number;
  abstract draw(on: Canvas): void;
}

const handle = async <T,>(item: T): Promise<T> => item;
export const createStore = (options: Options): Store => new Store(options);
export const useStore = memoize((id: string) => new Store(id));
export default function (config: Options) {
  return new (class extends Shape { draw() { handle(config); } })();
}

function isUser(value: unknown): value is User {
  return typeof value === 'object';
}

describe('Repository', () => {
  test.each([1, 2])('x', () => {});
  it('loads', async () => { await new Repository(client).load('1'); });
});
