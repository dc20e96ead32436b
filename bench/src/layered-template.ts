/** Templates of as many resources as are wanted, in layers of which each waits for the one before. */

const LAYERS = 10;

/** In HOT, as JSON: each of a layer refers to one of the layer before it. */
export function layeredTemplate(count: number): object {
  const width = Math.ceil(count / LAYERS);
  const resources = Array.from({ length: count }, (_, at) => {
    const value = at < width ? `value ${at}` : { get_attr: [nameOf(at - width), 'output'] };
    return [nameOf(at), { type: 'OS::Heat::TestResource', properties: { value } }] as const;
  });
  return { heat_template_version: '2021-04-16', resources: Object.fromEntries(resources) };
}

/** In HOT, as YAML: about as many lines. */
export function longTemplate(lines: number): string {
  const resource = (at: number): string =>
    [
      `  text_${at}:`,
      '    type: OS::Heat::Value',
      '    properties:',
      '      value:',
      `        list_join: ['-', [{ get_param: name }, 'text ${at}']]`,
    ].join('\n');
  const head =
    'heat_template_version: 2021-04-16\nparameters: { name: { type: string, default: x } }';
  const resources = Array.from({ length: Math.floor(lines / 5) }, (_, at) => resource(at));
  return `${head}\nresources:\n${resources.join('\n')}\n`;
}

const nameOf = (at: number): string => `one_${at}`;
