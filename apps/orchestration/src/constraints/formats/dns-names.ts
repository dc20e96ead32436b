/** Names of DNS as Neutron takes them. Public source: RFC 1035, RFC 1123. */

const MAX_LABEL = 63;
const MAX_NAME = 255;

/** `dns_name` @returns what is wrong */
export function dnsNameFault(value: string): string | undefined {
  const reason = value === '' ? undefined : formatFault(value);
  return reason === undefined ? undefined : `'${value}' not in valid format. Reason: ${reason}`;
}

/** `rel_dns_name`: below a domain that is added to it */
export function relativeDnsNameFault(value: string): string | undefined {
  if (value.endsWith('.')) return `'${value}' is a FQDN. It should be a relative domain name.`;
  if (value.length > MAX_NAME - 3)
    return (
      `'${value}' contains '${value.length}' characters. Adding a domain name will cause it to ` +
      `exceed the maximum length of a FQDN of '${MAX_NAME}'.`
    );
  return dnsNameFault(value);
}

/** `dns_domain`: whole */
export function dnsDomainFault(value: string): string | undefined {
  if (value === '') return undefined;
  return dnsNameFault(value) ?? (value.endsWith('.') ? undefined : `'${value}' must end with '.'.`);
}

function formatFault(value: string): string | undefined {
  const name = value.replace(/\.$/, '');
  if (name.length > MAX_NAME) return `'${name}' exceeds the ${MAX_NAME} character FQDN limit`;
  const labels = name.split('.');
  for (const label of labels) {
    if (label === '') return 'Encountered an empty component.';
    if (label.startsWith('-') || label.endsWith('-'))
      return `Name '${label}' must not start or end with a hyphen.`;
    if (label.length > MAX_LABEL || !/^[a-z0-9-]+$/.test(label))
      return `Name '${label}' must be 1-${MAX_LABEL} characters long, each of which can only be alphanumeric or a hyphen.`;
  }
  const top = labels.at(-1) ?? '';
  return value.endsWith('.') && labels.length > 1 && /^\d+$/.test(top)
    ? `TLD '${top}' must not be all numeric.`
    : undefined;
}
