export interface Store {
  save(key: string): void;
}

export abstract class Base {
  constructor(protected name: string) {}
  save(key: string): void {
    this.validate();
  }
  validate(): void {}
  static create(): Base {
    return build();
  }
}

function build(): Base {
  return null as any;
}

export function send(): void {}
