/** Subports in requests. Public source: neutron-lib, `validate_subports` in `api/validators`. */
import { isUuid } from '@cumulet/common/context/ids';
import { InvalidInputError } from '@cumulet/common/resources/resource.errors';
import { Refusal, shortened, valueType } from '@cumulet/common/resources/value-type';

/** With a VLAN ID, or `inherit` for that of the subport's network. */
export interface AskedSubport {
  readonly port_id: string;
  readonly segmentation_type?: string;
  readonly segmentation_id?: number;
}

const NAMES = ['port_id', 'segmentation_type', 'segmentation_id'];
const MAX_SUBPORTS = 4094;

export const subportList = valueType([Object], (value): AskedSubport[] => {
  if (value === null) return [];
  if (!Array.isArray(value))
    throw new Refusal(`Invalid data format for subports: '${shortened(value)}' is not a list`);
  if (value.length > MAX_SUBPORTS)
    throw new Refusal(`the list has more than ${MAX_SUBPORTS} items`);
  const subports = value.map(subportOf);
  refuseTwice(subports, ({ port_id: id }) => `Non unique UUID for subport: '${id}'`, byPort);
  const numbered = subports.filter((one) => one.segmentation_id !== undefined);
  const notUnique = (one: AskedSubport): string =>
    `Segmentation ID '${one.segmentation_id ?? ''}' for '${one.port_id}' is not unique`;
  refuseTwice(numbered, notUnique, bySegmentation);
  return subports;
});

/**
 * @param body `{"sub_ports": [{"port_id": "…", "segmentation_type": "vlan", "segmentation_id":
 * 7}]}`
 * @throws InvalidInputError in Neutron's words
 */
export function readSubports(body: object): AskedSubport[] {
  const { sub_ports: given } = body as { readonly sub_ports?: unknown };
  if (given === undefined)
    throw new InvalidInputError("Unable to find 'sub_ports' in request body");
  try {
    return subportList.read(given);
  } catch (error) {
    throw error instanceof Refusal ? new InvalidInputError(error.message) : error;
  }
}

function subportOf(value: unknown): AskedSubport {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(`Invalid data format for subport: '${shortened(value)}' is not a dict`);
  const given = value as Readonly<Record<string, unknown>>;
  const odd = Object.keys(given).find((name) => !NAMES.includes(name));
  if (odd !== undefined) throw new Refusal(`'${shortened(value)}' has the unknown key '${odd}'`);
  const { port_id: portId, segmentation_type: type, segmentation_id: id } = given;
  if (portId === undefined) throw new Refusal('A valid port UUID must be specified');
  if (!isUuid(portId)) throw new Refusal(`Invalid UUID for subport: '${shortened(portId)}'`);
  const port_id = portId.toLowerCase();
  if (type === undefined && id === undefined) return { port_id };
  if (type === 'inherit') return { port_id, segmentation_type: type };
  if (typeof type !== 'string' || id === undefined) throw new Refusal(withoutSegmentation(value));
  const number = typeof id === 'string' && /^\d{1,9}$/.test(id) ? Number(id) : id;
  if (typeof number !== 'number' || !Number.isInteger(number)) {
    const fault = `segmentation_id '${shortened(id)}' is not an integer`;
    throw new Refusal(`Invalid subport details: ${fault}`);
  }
  return { port_id, segmentation_type: type, segmentation_id: number };
}

/** Neutron's error for a subport without segmentation. */
export function withoutSegmentation(subport: unknown): string {
  return `Invalid subport details '${shortened(subport)}': missing segmentation information. Must specify both segmentation_id and segmentation_type`;
}

const byPort = (one: AskedSubport): string => one.port_id;
const bySegmentation = ({ segmentation_type: type = '', segmentation_id: id }: AskedSubport) =>
  `${type} ${id ?? ''}`;

function refuseTwice(
  subports: readonly AskedSubport[],
  reason: (one: AskedSubport) => string,
  keyOf: (one: AskedSubport) => string,
): void {
  const seen = new Set<string>();
  for (const one of subports) {
    if (seen.has(keyOf(one))) throw new Refusal(reason(one));
    seen.add(keyOf(one));
  }
}
