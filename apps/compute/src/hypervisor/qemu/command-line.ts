/**
 * QEMU's command line. Pure. Public source: QEMU manual, "Invocation"; qemu, `util/qemu-option.c`:
 * in a list of options a comma ends a value, and two of them are one.
 *
 * Always holds: a value stays the value of its own option, whatever it contains.
 */
import type { Code } from '@cumulet/common/languages/code';
import { HypervisorError } from '../hypervisor-error.js';

export type QemuArgument = Code<'qemu'>;

/** Without a value. */
type Flag = '-S' | '-nodefaults' | '-no-user-config' | '-no-shutdown';

/** With a value that QEMU takes verbatim. */
type TextOption = '-append' | '-display' | '-initrd' | '-kernel' | '-serial' | '-uuid';

/** With a list: an unnamed first value, and named ones. */
type ListOption =
  | '-accel'
  | '-action'
  | '-boot'
  | '-chardev'
  | '-cpu'
  | '-device'
  | '-global'
  | '-m'
  | '-machine'
  | '-name'
  | '-netdev'
  | '-object'
  | '-qmp'
  | '-rtc'
  | '-sandbox'
  | '-smbios'
  | '-smp'
  | '-vnc';

type Value = string | number | boolean;

/** By name; an array repeats an option, undefined omits it. */
export type QemuOptions = Readonly<Record<string, Value | readonly Value[] | undefined>>;

const NAME = /^[A-Za-z][\w.-]*$/;

export function flag(name: Flag): QemuArgument[] {
  return [word(name)];
}

export function textOption(name: TextOption, text: string): QemuArgument[] {
  return [word(name), word(text)];
}

/** @throws HypervisorError `bug` for a first value or a name that would be read as another */
export function listOption(
  name: ListOption,
  first: string | undefined,
  options: QemuOptions = {},
): QemuArgument[] {
  return [word(name), optionList(first, options)];
}

export function deviceOption({ driver, ...options }: QemuOptions & { driver: string }) {
  return listOption('-device', driver, options);
}

/** As JSON, which needs no escaping. */
export function blockdevOption(blockdev: object): QemuArgument[] {
  return [word('-blockdev'), word(JSON.stringify(blockdev))];
}

export function optionList(first: string | undefined, options: QemuOptions): QemuArgument {
  // With an equals sign it would be a named one.
  if (first?.includes('=')) throw refused(`'${first}' has a name`);
  const named = Object.entries(options).flatMap(([name, value]) => {
    if (!NAME.test(name)) throw refused(`'${name}' is not the name of an option`);
    return [value ?? []].flat().map((one) => `${name}=${textOf(one)}`);
  });
  return word([...(first === undefined ? [] : [textOf(first)]), ...named].join(','));
}

function textOf(value: Value): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value).replaceAll(',', ',,');
}

/** An argument ends at a NUL. */
function word(text: string): QemuArgument {
  if (text.includes('\0')) throw refused('there is a NUL in it');
  return text as QemuArgument;
}

function refused(why: string): HypervisorError {
  return new HypervisorError('bug', `A guest's command line cannot be written: ${why}.`);
}
