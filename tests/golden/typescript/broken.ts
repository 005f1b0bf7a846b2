export interface Before { id: string; }

export class Broken {
  fine(): string { return 'a'; }

  open(value: { : string {
    return value.
  }

  after(): string { return this.fine(); }
}

export const last = (id: number): string => String(id);
