/** kubectl, with a kubeconfig as the stock client has written it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outputOf } from '../support/run-program.js';

export class Kubectl {
  constructor(
    private readonly program: string,
    /** Where the stock client has left its files. */
    private readonly folder: string,
  ) {}

  /** The authority that the cluster's API is to be known by. */
  get authority(): string {
    return join(this.folder, 'ca.pem');
  }

  /** @throws Error with what it said */
  text(...args: string[]): Promise<string> {
    return outputOf(this.program, [`--kubeconfig=${join(this.folder, 'config')}`, ...args]).then(
      (text) => text.trim(),
    );
  }

  /** Undefined where it fails, which what is still coming up may make it do. */
  attempt(...args: string[]): Promise<string | undefined> {
    return this.text(...args).catch(() => undefined);
  }

  async apply(name: string, object: object): Promise<void> {
    const file = join(this.folder, `${name}.json`);
    await writeFile(file, JSON.stringify(object));
    await this.text('apply', `--filename=${file}`);
  }

  /** Names of nodes, and whether each is Ready: `True`, `False`, `Unknown`. */
  async nodes(): Promise<ReadonlyMap<string, string>> {
    const path =
      '{range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="Ready")].status}{"\\n"}{end}';
    const lines = await this.text('get', 'nodes', `--output=jsonpath=${path}`);
    return new Map(
      lines
        .split('\n')
        .filter((line) => line.includes('='))
        .map((line) => line.split('=') as [string, string]),
    );
  }
}
