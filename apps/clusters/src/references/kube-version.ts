/** Pure. Public source: Kubernetes, "Version Skew Policy". */

interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

function versionOf(text: string): Version | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text);
  if (!found) return undefined;
  const [, major, minor, patch] = found;
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

/** Checked because scripts of the first boot contain it. */
export function isVersion(text: string | null): text is string {
  return text !== null && /^v?\d[\w.+-]{0,63}$/.test(text);
}

/** @returns why a control plane cannot be upgraded; undefined if it can, or a version is unknown */
export function upgradeFault(from: string | null, to: string | null): string | undefined {
  const [now, then] = [versionOf(from ?? ''), versionOf(to ?? '')];
  if (!now || !then) return undefined;
  const step = then.minor - now.minor;
  if (then.major !== now.major || step > 1)
    return `Kubernetes can be upgraded from ${from ?? ''} by one minor version at most, not to ${to ?? ''}.`;
  if (step < 0 || (step === 0 && then.patch < now.patch))
    return `Kubernetes does not go back from ${from ?? ''} to ${to ?? ''}.`;
  return undefined;
}

/** @returns why a kubelet is too new; undefined if it fits, or a version is unknown */
export function skewFault(kubelet: string | null, server: string | null): string | undefined {
  const [node, api] = [versionOf(kubelet ?? ''), versionOf(server ?? '')];
  if (!node || !api) return undefined;
  const isNewer = node.major > api.major || (node.major === api.major && node.minor > api.minor);
  return isNewer
    ? `Nodes of ${kubelet ?? ''} are newer than masters of ${server ?? ''}, which Kubernetes does not support.`
    : undefined;
}
