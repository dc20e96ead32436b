/**
 * Writes cloud-config for cloud-init and for the platform's agent, which parses only the YAML
 * written here. Public source: cloud-init, "Module reference", Write Files, SSH, Runcmd. Pure.
 *
 * Always holds: a file has exactly the given lines, and no line is parsed as other YAML.
 */
import type { Code } from '@cumulet/common/languages/code';
import type { ShellWord } from '@cumulet/common/languages/shell';
import { yamlText } from '@cumulet/common/languages/yaml';

export type CloudConfig = Code<'cloud-config'>;

export interface CloudFile {
  readonly path: string;
  readonly permissions: string;
  readonly lines: readonly string[];
}

export interface CloudConfigContent {
  /** Keys of users who may log in. */
  readonly publicKeys: readonly string[];
  readonly files: readonly CloudFile[];
  /** Paths of programs that the first boot runs. */
  readonly commands: readonly string[];
}

export function cloudConfig({ publicKeys, files, commands }: CloudConfigContent): CloudConfig {
  return [
    '#cloud-config',
    ...section('ssh_authorized_keys:', publicKeys.map(yamlText)),
    ...section('write_files:', files.map(fileOf)),
    ...section(
      'runcmd:',
      commands.map((path) => `[${plainPath(path)}]`),
    ),
    '',
  ].join('\n') as CloudConfig;
}

/**
 * Replaces a placeholder.
 * @param word without characters special to a shell or to YAML
 */
export function substituted(config: CloudConfig, place: string, word: ShellWord): CloudConfig {
  return config.replaceAll(place, () => word) as CloudConfig;
}

function section(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [name, ...items.map((item) => `  - ${item}`)];
}

function fileOf({ path, permissions, lines }: CloudFile): string {
  return [
    `path: ${plainPath(path)}`,
    `    permissions: '${permissions}'`,
    '    content: |',
    ...lines.map((line, at) => (line === '' ? '' : `      ${literalLine(line, at)}`)),
  ].join('\n');
}

/** The first line sets the block's indentation, so it must not begin with a space. */
function literalLine(line: string, at: number): string {
  if (/^[\x20-\x7e]*$/.test(line) && !(at === 0 && line.startsWith(' '))) return line;
  throw new Error(`${JSON.stringify(line.slice(0, 64))} cannot be a line of a file in user data`);
}

function plainPath(path: string): string {
  if (/^(?:\/[\w.-]+)+$/.test(path)) return path;
  throw new Error(`${JSON.stringify(path.slice(0, 64))} cannot be a path in user data`);
}
