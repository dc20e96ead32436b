export interface ImportInfoView {
  readonly 'import-methods': {
    readonly description: string;
    readonly type: 'array';
    readonly value: readonly string[];
  };
}

/** Public source: Image API reference, "Import methods and values discovery". */
export function importInfoView(methods: readonly string[]): ImportInfoView {
  return {
    'import-methods': { description: 'Import methods available.', type: 'array', value: methods },
  };
}
