/**
 * OpenTofu with Terraform's provider of OpenStack, on our own module (conformance/terraform). Both are
 * built from their Go modules, and the provider is named as one under development: no registry is asked.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryVariables, type CloudEntry } from './cloud-entry.js';
import { builtFolder, type GoProgram } from './go-program.js';
import { runProgram, type CommandResult } from './run-program.js';

export const TOFU: GoProgram = {
  name: 'tofu',
  module: 'github.com/opentofu/opentofu',
  version: 'v1.9.1',
  main: './cmd/tofu',
};
export const PROVIDER: GoProgram = {
  name: 'terraform-provider-openstack',
  module: 'github.com/terraform-provider-openstack/terraform-provider-openstack/v3',
  version: 'v3.4.0',
  main: '.',
};

const MODULE = fileURLToPath(new URL('../terraform', import.meta.url));
const RUN_LIMIT_MS = 30 * 60_000;
const IMAGE_BYTES = 2 ** 20;
const BOOT_SIGNATURE = [0x55, 0xaa];
const BOOT_SIGNATURE_AT = 510;
/** Of `plan -detailed-exitcode`: there is something to do. Otherwise 0 if it could be planned. */
const CHANGES = 2;

/** What the module's variable `round` may be. */
export type Round = 'first' | 'second';

interface ShownPlan {
  readonly resource_changes?: readonly {
    readonly address: string;
    readonly mode: string;
    readonly change: { readonly actions: readonly string[] };
  }[];
}
interface StateModule {
  readonly resources?: readonly { readonly address: string; readonly mode: string }[];
}

export class OpenTofu {
  /** Of all commands so far. */
  output = '';

  private constructor(
    private readonly program: string,
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** @throws Error if the module is not formatted as OpenTofu formats it */
  static async install(entry: CloudEntry): Promise<OpenTofu> {
    const [tofu, provider] = [await builtFolder(TOFU), await builtFolder(PROVIDER)];
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-terraform-'));
    await cp(MODULE, folder, { recursive: true });
    const [configuration, image] = [join(folder, 'tofurc'), join(folder, 'image.raw')];
    await writeFile(configuration, configurationWith(provider));
    await writeFile(image, bootableImage());
    const installed = new OpenTofu(join(tofu, TOFU.name), folder, {
      ...entryVariables(entry),
      OS_REGION_NAME: entry.region_name,
      TF_CLI_CONFIG_FILE: configuration,
      TF_IN_AUTOMATION: 'true',
      TF_VAR_image_file: image,
      CHECKPOINT_DISABLE: 'true',
    });
    await installed.#succeed(['fmt', '-check', '-diff']);
    return installed;
  }

  /** @returns what is still to be done, by address: `no-op`, or for example `delete and create` */
  async plan(round: Round): Promise<ReadonlyMap<string, string>> {
    const file = join(this.folder, 'plan');
    const options = ['-input=false', '-no-color', '-detailed-exitcode', `-out=${file}`];
    const { exitCode } = await this.#run(['plan', `-var=round=${round}`].concat(options));
    if (exitCode !== 0 && exitCode !== CHANGES) throw new Error(`No plan: ${this.output}`);
    const shown = await this.#shown<ShownPlan>(file);
    const actions = (shown.resource_changes ?? [])
      .filter(({ mode }) => mode === 'managed')
      .map(({ address, change }): [string, string] => [address, change.actions.join(' and ')]);
    if (exitCode === CHANGES && actions.every(([, one]) => one === 'no-op'))
      throw new Error(`It plans a change of no resource: ${this.output}`);
    return new Map(actions);
  }

  /** @returns its exit code */
  async apply(round: Round): Promise<number> {
    return this.#change('apply', round);
  }

  /** @returns its exit code */
  async destroy(round: Round): Promise<number> {
    return this.#change('destroy', round);
  }

  /** @returns the addresses of the resources that it knows to be there */
  async resources(): Promise<string[]> {
    const state = await this.#shown<{ values?: { root_module: StateModule } }>();
    const all = state.values?.root_module.resources ?? [];
    return all.filter(({ mode }) => mode === 'managed').map(({ address }) => address);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #change(command: 'apply' | 'destroy', round: Round): Promise<number> {
    const options = ['-input=false', '-no-color', '-auto-approve', `-var=round=${round}`];
    return (await this.#run([command, ...options])).exitCode;
  }

  async #shown<T>(...file: string[]): Promise<T> {
    return JSON.parse((await this.#succeed(['show', '-json', ...file])).stdout) as T;
  }

  async #succeed(args: readonly string[]): Promise<CommandResult> {
    const result = await runProgram(this.program, args, this.#options);
    if (result.exitCode === 0) return result;
    throw new Error(`tofu ${args.join(' ')}: ${result.stderr}${result.stdout}`);
  }

  async #run(args: readonly string[]): Promise<CommandResult> {
    const result = await runProgram(this.program, args, this.#options);
    this.output += result.stdout + result.stderr;
    return result;
  }

  get #options(): { env: Readonly<Record<string, string>>; cwd: string; limitMs: number } {
    return { env: this.env, cwd: this.folder, limitMs: RUN_LIMIT_MS };
  }
}

/** Raw: a server of the simulated hypervisor, too, boots only what has a boot sector. */
function bootableImage(): Uint8Array {
  const bytes = new Uint8Array(IMAGE_BYTES);
  bytes.set(BOOT_SIGNATURE, BOOT_SIGNATURE_AT);
  return bytes;
}

/** Without `direct`, there is nowhere else from where it would install a provider. */
function configurationWith(folder: string): string {
  return [
    'provider_installation {',
    '  dev_overrides {',
    `    "terraform-provider-openstack/openstack" = ${JSON.stringify(folder)}`,
    '  }',
    '}',
    '',
  ].join('\n');
}
