/**
 * Maps a shape to the names of its properties on the wire. Answers of sister services have the form
 * that their API documents, and are not validated.
 */
export interface WireShape<T> {
  readonly read: (wire: unknown) => T;
  /** Properties that are undefined are left out of JSON. */
  readonly write: (value: { readonly [P in keyof T]?: unknown }) => Record<string, unknown>;
}

interface Items {
  readonly read: (wire: unknown) => unknown;
  readonly write: (value: never) => Record<string, unknown>;
}

/** A property's name on the wire; of a list of shapes, with the shape of its items. */
type Names<T> = {
  readonly [P in keyof T]: string | readonly [name: string, items: Items];
};

export function wireShape<T extends object>(names: Names<T>): WireShape<T> {
  const all = Object.entries<Names<T>[keyof T]>(names).map(([property, named]) => {
    const [name, items] = typeof named === 'string' ? [named] : named;
    return { property, name, items };
  });
  return {
    read: (wire) => {
      const from = wire as Readonly<Record<string, unknown>>;
      const entries = all.map(({ property, name, items }) => {
        const value = from[name];
        return [property, items ? (value as unknown[]).map((one) => items.read(one)) : value];
      });
      return Object.fromEntries(entries) as T;
    },
    write: (value) => {
      const from = value as Readonly<Record<string, unknown>>;
      const entries = all.map(({ property, name, items }) => {
        const list = from[property] as never[] | undefined;
        return [name, items && list ? list.map((one) => items.write(one)) : list];
      });
      return Object.fromEntries(entries) as Record<string, unknown>;
    },
  };
}
