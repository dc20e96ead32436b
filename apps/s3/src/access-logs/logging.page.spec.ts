import { describe, expect, it } from '@jest/globals';
import { readXml, writeXml } from '../http/xml.js';
import { LOGGING } from './logging.page.js';

const parse = (xml: string) =>
  LOGGING.parse(readXml(`<${LOGGING.root}>${xml}</${LOGGING.root}>`, LOGGING.root));
const logged = (more: string): string =>
  `<LoggingEnabled><TargetBucket>b</TargetBucket>${more}<TargetPrefix>p/</TargetPrefix></LoggingEnabled>`;
const format = (xml: string): string =>
  logged(`<TargetObjectKeyFormat>${xml}</TargetObjectKeyFormat>`);
const partitioned = (source: string): string =>
  format(
    `<PartitionedPrefix><PartitionDateSource>${source}</PartitionDateSource></PartitionedPrefix>`,
  );
const granted = (permission: string): string =>
  logged(
    '<TargetGrants><Grant><Grantee xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="Group">' +
      '<URI>http://acs.amazonaws.com/groups/global/AllUsers</URI></Grantee>' +
      `<Permission>${permission}</Permission></Grant></TargetGrants>`,
  );

describe('a configuration is shown as it was sent', () => {
  it.each([
    logged(''),
    format('<SimplePrefix></SimplePrefix>'),
    format('<PartitionedPrefix></PartitionedPrefix>'),
    partitioned('EventTime'),
    partitioned('DeliveryTime'),
    granted('FULL_CONTROL'),
  ])('%s', (xml) => {
    const value = parse(xml);
    expect(value && writeXml('R', LOGGING.show(value), '')).toContain(`<R>${xml}</R>`);
  });
});

it('an empty document switches logging off', () => {
  expect(parse('')).toBeNull();
});

it.each([
  '<LoggingEnabled/>',
  '<LoggingEnabled><TargetBucket>b</TargetBucket></LoggingEnabled>',
  '<LoggingEnabled><TargetBucket/><TargetPrefix/></LoggingEnabled>',
  logged('<Filter/>'),
  format(''),
  format('<SimplePrefix/><PartitionedPrefix/>'),
  partitioned('Someday'),
  granted('READ_ACP'),
])('refuses %s as malformed', (xml) => {
  expect(() => parse(xml)).toThrow(expect.objectContaining({ code: 'MalformedXML' }));
});
